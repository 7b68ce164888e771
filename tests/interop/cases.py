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
    parts: list = field(default_factory=list)  # files to create first and to merge: each like `vectors`
    form: str = "txt"  # of the lists


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
    parts = [{both: span(0, 50_000, 2)}, {both: span(0, 50_000, 3), second: join([4, 5, 6])}]
    yield Case(name, {both: join(parts[0][both], parts[1][both]), second: parts[1][second]}, {both: 60_000, second: 10}, parts=parts)


def run(*command):
    outcome = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if outcome.returncode != 0:
        sys.exit(f"{' '.join(command)}\nexit code {outcome.returncode}: {outcome.stdout}")


def create(puffin, out, stem, case, vectors):
    arguments = []
    for i, (file, positions) in enumerate(vectors.items()):
        path = f"inputs/{stem}-{i}.{case.form}"
        if case.form == "u64":
            positions.astype("<u8").tofile(path)
        else:
            with open(path, "w") as f:
                f.writelines(f"{p}\n" for p in positions.tolist())
        arguments.append(f"{file}={path}")
    properties = [x for k, v in case.properties.items() for x in ("--property", f"{k}={v}")]
    run(puffin, "create", "-o", out, *case.options, *properties, *arguments)


def main():
    puffin, work = os.path.abspath(sys.argv[1]), sys.argv[2]
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(os.path.join(work, "inputs"))
    os.makedirs(os.path.join(work, "expected"))
    os.chdir(work)
    told = []
    for case in cases():
        file = data(case.name, "deletes.puffin")
        os.makedirs(os.path.dirname(file))
        if case.parts:
            parts = [f"inputs/{case.name}-{i}.puffin" for i in range(len(case.parts))]
            for i, part in enumerate(case.parts):
                create(puffin, parts[i], f"{case.name}-{i}", case, part)
            run(puffin, "merge", *parts, "-o", file)
        else:
            create(puffin, file, case.name, case, case.vectors)
        vectors = []
        for i, (data_file, positions) in enumerate(case.vectors.items()):
            raw = positions.astype("<u8").tobytes()
            path = f"expected/{case.name}-{i}.u64"
            with open(path, "wb") as f:
                f.write(raw)
            vectors.append({"data_file": data_file, "positions": path, "cardinality": len(positions),
                            "sha256": hashlib.sha256(raw).hexdigest(), "rows": case.rows.get(data_file)})
        told.append({"case": case.name, "file": file, "bytes": os.path.getsize(file), "properties": case.properties,
                     "vectors": vectors, "metadata": table.build(file, vectors) if case.rows else None})
    with open("cases.json", "w") as f:
        json.dump(told, f)
    print(f"{len(told)} files, {sum(c['bytes'] for c in told)} bytes, written by {puffin}")


main()
