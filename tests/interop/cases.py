"""The sets of positions, and the files that the puffin command makes of them.

    cases.py PUFFIN WORK

Writes under WORK the lists of positions (`inputs/`), the Puffin files with a table around each (`warehouse/db/CASE/`), and
`cases.json`, which says what a reader must find. What is expected comes from the lists alone.
"""
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field

import numpy as np

import table

KEY = 1 << 32  # positions of one 32-bit bitmap
CONTAINER = 1 << 16


@dataclass
class Case:
    name: str
    vectors: dict  # data file: positions, ascending
    rows: dict = field(default_factory=dict)  # data file: rows in the table; none: the case has no table
    properties: dict = field(default_factory=dict)
    options: list = field(default_factory=list)
    parts: list = field(default_factory=list)  # what to merge, each like `vectors`: files to create first, the last one lists
    keep: bool = False  # whether to add a vector, and drop it again with `puffin rewrite`
    blobs: list = field(default_factory=list)  # blobs of other types
    form: str = "txt"  # of the lists; stdin: out of order, twice, and by standard input


@dataclass
class Blob:
    type: str
    codec: str
    content: bytes
    fields: list
    snapshot_id: int
    sequence_number: int
    properties: dict


def span(start, stop, step=1):
    return np.arange(start, stop, step, dtype="<u8")


def join(*sets):
    return np.unique(np.concatenate([np.asarray(s, dtype="<u8") for s in sets]))


def data(case, name="part-0.parquet"):
    return f"warehouse/db/{case}/data/{name}"


def one(case, positions, rows, **more):
    return Case(case, {data(case): join(positions)}, {data(case): rows}, **more)


def cases():
    rng = np.random.default_rng(20260101)
    yield one("few", [0, 7, 99_999], 100_000)
    yield one("few_by_stdin", [3, 14, 159, 2653], 10_000, form="stdin")
    yield one("empty", [], 1_000)
    kinds = join(
        span(0, CONTAINER, 97),  # an array
        span(CONTAINER, 2 * CONTAINER, 3),  # a bitset
        span(2 * CONTAINER + 100, 2 * CONTAINER + 60_000),  # a run
    )
    yield one("three_kinds", kinds, 200_000, form="u64")
    yield one("sixteen_arrays", span(5, 1_000_000, 97), 1_000_000)
    mixed = [span(k * CONTAINER, k * CONTAINER + 1_000, 1 if k % 2 == 0 else 7) for k in range(9)]
    yield one("nine_mixed", join(*mixed), 600_000)
    # 2047 runs of a container are smaller as runs than as a bitset, 2048 are not
    border = join(*[span(r * 32, r * 32 + 16) for r in range(2047)], *[CONTAINER + span(r * 32, r * 32 + 16) for r in range(2048)])
    yield one("run_border", border, 2 * CONTAINER)
    sizes = join(span(0, 4096 * 3, 3), CONTAINER + span(0, 4097 * 3, 3), 3 * CONTAINER + span(0, CONTAINER))
    yield one("array_border", sizes, 4 * CONTAINER)
    yield one("every_row", span(0, 150_000), 150_000)
    yield one("random", np.flatnonzero(rng.random(1_000_000) < 0.1), 1_000_000, form="u64")

    name = "several_files"
    vectors, rows = {}, {}
    for i in range(25):
        file = data(name, f"part-{i:05}.parquet")
        rows[file] = 1_000 + 3_000 * i
        start = span(i, rows[file] // 2) if i % 3 == 0 else span(i, rows[file], i + 1)
        vectors[file] = start if i % 5 else join([i])
    yield Case(name, vectors, rows)

    name = "names"
    names = [
        "dt=2026-01-01/region=EU%2FWest/part 0.parquet",
        "données/表/Ж/🦀-file.parquet",
        "quote\"double'single.parquet",
        "plus+amp&semi;hash#tilde~.parquet",
        "e\u0301-and-\u00e9/<b>.parquet",
    ]
    vectors = {data(name, n): span(i, 1_000 * (i + 1), i + 1) for i, n in enumerate(names)}
    yield Case(name, vectors, {file: 5_000 for file in vectors})

    foreign = [
        "s3://bucket/ware house/db/t/data/with space.parquet",
        "hdfs://nn:8020/données/表/Ж/🦀.parquet",
        "abfss://c@a.dfs.core.windows.net/k=v/k2=a=b/==.parquet",
        "s3://b/tab\there\nnewline\u0001control\u007f.parquet",
        "s3://b/back\\slash\\\\and\\u0041.parquet",
        "s3://b/\u2028line\u2029/\ufeff.parquet",
        "C:\\warehouse\\\"data\".parquet",
    ]
    yield Case("names_elsewhere", {n: span(i, 100 + i) for i, n in enumerate(foreign)})

    high = join([5, 900], KEY + span(0, 200_000, 2), 3 * KEY + span(10, 2_010), [4 * KEY - 1, 100 * KEY + 5])
    yield one("above_32_bits", high, 1_000, form="u64")
    yield one("above_32_bits_dense", high, 1_000, form="u64", options=["--dense"])
    yield one("around_2_31", join([1], span(2**31 - 20, 2**31 + 20)), 1_000)
    properties = {"application": "interop tests", "quote\"Ж🦀": "back\\slash, \"quote\", \u2028", "empty": "", "equals": "a=b=c"}
    yield one("properties", [1, 2, 3], 1_000, properties=properties)
    yield one("lz4_footer", [1, 20, 300], 1_000, options=["--lz4-footer"])

    name = "merged"
    both, second = data(name), data(name, "part-1.parquet")
    parts = [{both: span(0, 50_000, 2)}, {both: span(0, 50_000, 3), second: join([4, 5, 6])}, {both: join([1, 59_999])}]
    union = join(*(part[both] for part in parts))
    yield Case(name, {both: union, second: parts[1][second]}, {both: 60_000, second: 10}, parts=parts)
    yield one("rewritten", span(10, 20), 1_000, keep=True)

    lines = b"".join(b"line %d of a text\n" % (i % 977) for i in range(20_000))
    for name in ("zstd", "lz4"):
        yield Case(f"{name}_blobs", {}, blobs=[
            Blob("plain", None, b"as it is", [1], 2, 1, {"codec": "none"}),
            Blob("empty", name, b"", [], 3, 4, {}),
            Blob("lines", name, lines, [1, 2, 3], 2**63 - 1, 2**63 - 1, {"quote\"": "back\\slash \u2028 🦀"}),
            Blob("noise", name, rng.bytes(200_000), [2**31 - 1], 0, 0, {}),
            Blob("zeros", name, bytes(1 << 20), [7], 5, 6, {}),
        ])


def run(*command, stdin=""):
    outcome = subprocess.run(command, input=stdin, capture_output=True, text=True)
    if outcome.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit code {outcome.returncode}: {outcome.stderr}")
    return outcome.stdout


def lists(stem, form, vectors):
    """Writes a list of positions for each data file; the arguments that name them, and the standard input."""
    arguments, stdin = [], ""
    for i, (file, positions) in enumerate(vectors.items()):
        path = f"inputs/{stem}-{i}.{form}"
        lines = [f"{p}\n" for p in positions.tolist()] if form != "u64" else []
        if form == "u64":
            positions.astype("<u8").tofile(path)
        elif form == "stdin":
            path, stdin = "-", "".join(lines[::-1] + lines[:1])
        else:
            with open(path, "w") as f:
                f.writelines(lines)
        arguments.append(f"{file}={path}")
    return arguments, stdin


def described(case):
    """Writes the description of blobs; the arguments that name it."""
    blobs = []
    for i, blob in enumerate(case.blobs):
        with open(f"inputs/{case.name}-{i}.bin", "wb") as f:
            f.write(blob.content)
        codec = {"compression-codec": blob.codec} if blob.codec else {}
        blobs.append({"type": blob.type, "fields": blob.fields, "snapshot-id": blob.snapshot_id,
                      "sequence-number": blob.sequence_number, "properties": blob.properties, "data": f"{case.name}-{i}.bin", **codec})
    path = f"inputs/{case.name}.json"
    with open(path, "w") as f:
        json.dump({"blobs": blobs}, f)
    return ["--description", path]


def write(puffin, case, file):
    """Writes the file of a case. What the command told for the manifest: offset, length and number of rows of each vector."""
    options = case.options + [x for k, v in case.properties.items() for x in ("--property", f"{k}={v}")]
    if case.blobs:
        run(puffin, "create", "-o", file, *options, *described(case))
        return None
    if case.parts:
        *files, last = case.parts
        inputs = [f"inputs/{case.name}-{i}.puffin" for i in range(len(files))]
        for i, part in enumerate(files):
            run(puffin, "create", "-o", inputs[i], *lists(f"{case.name}-{i}", case.form, part)[0])
        told = run(puffin, "merge", *inputs, *lists(f"{case.name}-last", case.form, last)[0], "-o", file)
    elif case.keep:
        more = f"inputs/{case.name}-more.puffin"
        arguments, _ = lists(case.name, case.form, {"dropped.parquet": join([1, 2, 3]), **case.vectors})
        run(puffin, "create", "-o", more, *arguments)
        run(puffin, "rewrite", *(x for kept in case.vectors for x in ("--keep", kept)), "-o", file, more)
        return None
    else:
        arguments, stdin = lists(case.name, case.form, case.vectors)
        told = run(puffin, "create", "-o", file, *options, *arguments, stdin=stdin)
    return [tuple(map(int, line.split("\t")[:3])) for line in told.split("\n") if line]


def main():
    puffin, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "inputs"))
    os.makedirs(os.path.join(work, "expected"))
    os.chdir(work)
    cases_told = []
    for case in cases():
        file = data(case.name, "deletes.puffin")
        os.makedirs(os.path.dirname(file))
        told = write(puffin, case, file)
        vectors = []
        for i, (data_file, positions) in enumerate(case.vectors.items()):
            raw = positions.astype("<u8").tobytes()
            path = f"expected/{case.name}-{i}.u64"
            with open(path, "wb") as f:
                f.write(raw)
            vectors.append({"data_file": data_file, "positions": path, "cardinality": len(positions),
                            "sha256": hashlib.sha256(raw).hexdigest(), "rows": case.rows.get(data_file)})
        blobs = [{"type": b.type, "fields": b.fields, "snapshot_id": b.snapshot_id, "sequence_number": b.sequence_number,
                  "properties": b.properties, "sha256": hashlib.sha256(b.content).hexdigest()} for b in case.blobs]
        cases_told.append({"case": case.name, "file": file, "bytes": os.path.getsize(file), "properties": case.properties,
                           "vectors": vectors, "blobs": blobs,
                           "metadata": table.build(file, vectors, told) if case.rows else None})
    with open("cases.json", "w") as f:
        json.dump(cases_told, f)
    print(f"{len(cases_told)} files, {sum(c['bytes'] for c in cases_told)} bytes, written by {puffin}")


main()
