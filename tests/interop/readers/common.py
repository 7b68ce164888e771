"""What the readers in Python share: the cases, and the form of what they print."""
import hashlib
import json
import os
import sys

import numpy as np

FILE_SHIFT = 40  # of the ids in a table's rows: number of the data file << FILE_SHIFT | position


def digest(positions):
    return hashlib.sha256(np.sort(positions).astype("<u8").tobytes()).hexdigest()


def rows_gone(case, ids):
    """What a table's reader left out, by data file, from the ids of the rows that it gave."""
    ids = np.asarray(ids, dtype=np.int64)
    files, positions = ids >> FILE_SHIFT, ids & ((1 << FILE_SHIFT) - 1)
    told = []
    for number, vector in enumerate(case["vectors"]):
        given = positions[files == number]
        gone = np.setdiff1d(np.arange(vector["rows"]), given)
        told.append({"data_file": vector["data_file"], "given": len(given), "gone": len(gone), "sha256": digest(gone)})
    return told


def words(error):
    """An error in one line; of Java's many, the cause."""
    lines = f"{type(error).__name__}: {error}".splitlines()
    causes = [line for line in lines if line.startswith("Caused by: ")]
    return (causes or lines)[-1 if causes else 0]


def each_case(read):
    """Calls read(case) for every case, in the work folder; prints what it answers, or its error, as a line of JSON."""
    os.chdir(sys.argv[1])
    with open("cases.json") as f:
        cases = json.load(f)
    for case in cases:
        try:
            line = read(case)
        except Exception as error:
            line = {"error": words(error)}
        if line is not None:
            print(json.dumps(dict(line, case=case["case"])), flush=True)
