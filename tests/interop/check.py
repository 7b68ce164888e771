"""Compares what a reader printed with what is in the files, and tells it file by file.

    check.py WORK READER OUTPUT

Exit code 1 when a file was read differently, or refused for a reason that is not known here.
"""
import hashlib
import json
import os
import sys

import numpy as np

# What a reader of the pinned version does not take, and the words that it says so with. A reader that takes it after all
# must read it right.
KNOWN = {
    ("iceberg-java", "lz4_footer"): ("Unsupported codec: LZ4", "knows no LZ4"),
    ("pyiceberg", "lz4_footer"): ("compressed footer, which is not yet supported", "knows no compressed footer"),
    ("duckdb", "lz4_footer"): ("only uncompressed footers are supported", "knows no compressed footer"),
    ("iceberg-rust", "lz4_footer"): ("LZ4 decompression is not supported", "knows no LZ4"),
    ("iceberg-java", "lz4_blobs"): ("Unsupported codec: LZ4", "knows no LZ4"),
    ("pyiceberg", "lz4_blobs"): ("Unsupported puffin compression codec: 'lz4'", "knows no LZ4"),
    ("iceberg-rust", "lz4_blobs"): ("LZ4 decompression is not supported", "knows no LZ4"),
    ("pyiceberg", "empty"): ("cannot construct ChunkedArray from empty vector", "cannot make an array of a vector without bitmaps"),
}

# What a reader must tell of every file that it does not refuse; a table of every file that has one.
TELLS = {
    "iceberg-java": {"vectors", "properties"},
    "pyiceberg": {"vectors", "properties", "table"},
    "duckdb": {"table"},
    "spark": {"table"},
    "iceberg-rust": {"vectors", "properties"},
}


def count(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


def compare(case, found):
    """The differences, and how many vectors and positions were read back, from the file and as rows of the table."""
    wrong = []
    read = []
    if "vectors" in found:
        by_file = {v["data_file"]: v for v in found["vectors"]}
        if len(found["vectors"]) != len(case["vectors"]):
            wrong.append(f"{len(found['vectors'])} vectors, not {len(case['vectors'])}")
        for want in case["vectors"]:
            got = by_file.get(want["data_file"])
            if got is None:
                wrong.append(f"no vector of {want['data_file']!r}")
            elif got["cardinality"] != want["cardinality"]:
                wrong.append(f"{want['data_file']!r}: {got['cardinality']} positions, not {want['cardinality']}")
            elif got["sha256"] != want["sha256"]:
                wrong.append(f"{want['data_file']!r}: {got['cardinality']} positions, but others")
        if by_file:
            read.append(f"{count(len(by_file), 'vector')}, {count(sum(v['cardinality'] for v in by_file.values()), 'position')}")
        read.extend(sorted({v["note"] for v in by_file.values() if "note" in v}))
        if case["blobs"] or found["blobs"]:
            if found["blobs"] != case["blobs"]:
                wrong.append(f"blobs {found['blobs']}, not {case['blobs']}")
            read.append(count(len(found["blobs"]), "blob"))
    if "properties" in found:
        for key, value in case["properties"].items():
            if found["properties"].get(key) != value:
                wrong.append(f"property {key!r} is {found['properties'].get(key)!r}, not {value!r}")
    if "table" in found:
        for want, got in zip(case["vectors"], found["table"], strict=True):
            gone, digest = within(want)
            if got["given"] + got["gone"] != want["rows"] or (got["gone"], got["sha256"]) != (gone, digest):
                wrong.append(f"{want['data_file']!r}: {got['given']} rows given, {got['gone']} gone; {gone} of {want['rows']} are deleted")
        given, gone = (sum(v[what] for v in found["table"]) for what in ("given", "gone"))
        read.append(f"{count(given + gone, 'row')} in {count(len(found['table']), 'data file')}, {gone} deleted")
    return wrong, "; ".join(read)


def within(vector):
    """How many positions are rows of the table's data file, and their digest."""
    positions = np.fromfile(vector["positions"], dtype="<u8")
    positions = positions[positions < vector["rows"]]
    return len(positions), hashlib.sha256(positions.tobytes()).hexdigest()


def main():
    work, reader, output = sys.argv[1:]
    with open(output) as f:
        found = {line["case"]: line for line in map(json.loads, f)}
    os.chdir(work)
    with open("cases.json") as f:
        cases = json.load(f)
    bad = 0
    for case in cases:
        name = case["case"]
        tells = TELLS[reader] - (set() if case["metadata"] else {"table"})
        if not tells:
            continue
        line = found.get(name, {})
        wrong, read = compare(case, line)
        errors = [line[k] for k in ("error", "vectors_error", "table_error") if k in line]
        if not errors:
            wrong += [f"the reader told nothing of {what}" for what in sorted(tells - line.keys())]
        words, why = KNOWN.get((reader, name), (None, None))
        unknown = [e for e in errors if words is None or words not in e]
        wrong += [f"refused: {e}" for e in unknown]
        if wrong:
            bad += 1
            print(f"  {name:<20} FAILED{': ' + read if read else ''}")
            for w in wrong[:5]:
                print(f"  {'':<20}   {w}")
            if len(wrong) > 5:
                print(f"  {'':<20}   and {len(wrong) - 5} more")
        elif errors:
            print(f"  {name:<20} refused, as known: {why}" + (f"; {read}" if read else ""))
        else:
            print(f"  {name:<20} equal: {read}" + (f"; {line['note']}" if "note" in line else ""))
    return 1 if bad else 0


sys.exit(main())
