"""PyIceberg: container and vectors of each file, then a scan of the table around it. Argument: the work folder."""
import hashlib
import os
import warnings

import numpy as np
from common import digest, each_case, rows_gone, words
from pyiceberg.table import StaticTable
from pyiceberg.table.deletion_vector import deletion_vectors_from_puffin_file
from pyiceberg.table.puffin import PuffinFile

warnings.simplefilter("ignore")


def blobs(puffin):
    return [{"type": blob.type, "fields": blob.fields, "snapshot_id": blob.snapshot_id, "sequence_number": blob.sequence_number,
             "properties": blob.properties, "sha256": hashlib.sha256(puffin.get_blob_payload(blob)).hexdigest()}
            for blob in puffin.footer.blobs if blob.type != "deletion-vector-v1"]


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
        told["blobs"] = blobs(puffin)
        told["vectors"] = [] if told["blobs"] else vectors(puffin)  # it takes every blob for a vector
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
