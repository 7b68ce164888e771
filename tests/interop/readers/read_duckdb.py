"""DuckDB with its iceberg extension: a SELECT over the table around each file. Argument: the work folder."""
import glob
import importlib.util
import os

import duckdb
from common import each_case, rows_gone


def connect(file_cache):
    connection = duckdb.connect(config={"autoinstall_known_extensions": False, "autoload_known_extensions": False})
    for name in ("avro", "iceberg"):
        folder = os.path.dirname(importlib.util.find_spec(f"duckdb_extension_{name}").origin)
        (library,) = glob.glob(f"{folder}/extensions/v*/{name}.duckdb_extension")
        connection.load_extension(library)
    connection.execute(f"SET enable_external_file_cache = {str(file_cache).lower()}")
    return connection


plain = connect(file_cache=False)
cached = connect(file_cache=True)  # as DuckDB starts


def read(case):
    if not case["metadata"]:
        return None

    def table(connection):
        ids = connection.execute("SELECT id FROM iceberg_scan(?)", [case["metadata"]]).fetchnumpy()["id"]
        return rows_gone(case, ids)

    told = {"table": table(plain)}
    # DuckDB 1.5.5 with its file cache may apply the vector of one data file to another, whoever wrote the file.
    if table(cached) != told["table"]:
        told["note"] = "other rows with DuckDB's file cache"
    return told


each_case(read)
