"""PyIceberg: container and vectors of each file, then a scan of the table around it. Argument: the work folder."""
import os
import warnings

import numpy as np
from common import digest, each_case, rows_gone, words
from pyiceberg.table import StaticTable
from pyiceberg.table.deletion_vector import deletion_vectors_from_puffin_file
from pyiceberg.table.puffin import PuffinFile

warnings.simplefilter("ignore")


def vectors(puffin):
    told = []
    for vector in deletion_vectors_from_puffin_file(puffin):
        positions = np.concatenate([np.asarray(chunk, dtype="<u8") for chunk in vector.to_vector().chunks])
        told.append({"data_file": vector.referenced_data_file, "cardinality": len(positions), "sha256": digest(positions)})
    return told


def read(case):
    with open(case["file"], "rb") as f:
        puffin = PuffinFile(f.read())
    told = {"properties": puffin.footer.properties}
    try:
        told["vectors"] = vectors(puffin)
    except Exception as error:
        told["vectors_error"] = words(error)
    if case["metadata"]:
        try:
            ids = StaticTable.from_metadata(os.path.abspath(case["metadata"])).scan().to_arrow()["id"]
            told["table"] = rows_gone(case, ids.to_numpy())
        except Exception as error:
            told["table_error"] = words(error)
    return told


each_case(read)
