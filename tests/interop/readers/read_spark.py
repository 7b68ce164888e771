"""Spark: a SELECT over the table around each file. Arguments: the work folder, the jar of Iceberg's runtime."""
import os
import sys

import pyarrow.parquet as pq
from common import each_case, rows_gone
from pyspark.sql import SparkSession

jar = os.path.abspath(sys.argv[2])
os.chdir(sys.argv[1])  # the tables' paths are relative to the folder that the JVM starts in
sys.argv[1] = "."
spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.jars", jar)
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.sql.catalog.c", "org.apache.iceberg.spark.SparkCatalog")
    .config("spark.sql.catalog.c.type", "hadoop")
    .config("spark.sql.catalog.c.warehouse", "warehouse")
    .config("spark.sql.catalog.c.cache-enabled", "false")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")


def read(case):
    if not case["metadata"]:
        return None
    out = f"spark/{case['case']}"
    spark.sql(f"SELECT id FROM c.db.{case['case']}").write.mode("overwrite").parquet(out)
    return {"table": rows_gone(case, pq.read_table(out)["id"].to_numpy())}


each_case(read)
spark.stop()
