"""An Iceberg v3 table around a Puffin file.

The metadata of a table that Spark wrote, of one data file and one deletion vector, is the template. Its manifests are
written again so that there is an entry for every data file and every vector.
"""
import json
import os
import struct
import sys

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq

TEMPLATE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../data/tables/spark-3.5.9-iceberg-1.10.2-fixture/metadata")
FILE_SHIFT = 40  # id of a row: number of its data file << FILE_SHIFT | position


def ids(number, rows):
    return (number << FILE_SHIFT) + pa.array(range(rows), pa.int64()).to_numpy()


def data_file(path, number, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    schema = pa.schema([pa.field("id", pa.int64(), metadata={"PARQUET:field_id": "1"})])
    pq.write_table(pa.table([ids(number, rows)], schema=schema), path, compression="zstd", use_dictionary=False,
                   column_encoding="DELTA_BINARY_PACKED", row_group_size=rows)


def ranges(puffin, vectors, told):
    """Offset and length of every vector: as the footer says, which must be what the command told; of a compressed footer, as
    the command told."""
    with open(puffin, "rb") as f:
        raw = f.read()
    size, flags = struct.unpack("<II", raw[-12:-4])
    if flags & 1:
        return {vector["data_file"]: entry[:2] for vector, entry in zip(vectors, told, strict=True)}
    blobs = json.loads(raw[-12 - size:-12])["blobs"]
    if told is not None and told != [(b["offset"], b["length"], int(b["properties"]["cardinality"])) for b in blobs]:
        sys.exit(f"{puffin}: the command told {told}, the footer says {blobs}")
    return {b["properties"]["referenced-data-file"]: (b["offset"], b["length"]) for b in blobs}


def load(name):
    with open(os.path.join(TEMPLATE, name), "rb") as f:
        reader = fastavro.reader(f)
        rows = list(reader)
        return reader.writer_schema, {k: v for k, v in reader.metadata.items() if not k.startswith("avro.")}, rows


def store(path, schema, metadata, rows):
    with open(path, "wb") as f:
        fastavro.writer(f, schema, rows, codec="deflate", metadata=metadata)
    return os.path.getsize(path)


def build(puffin, vectors, told):
    """Writes data files and metadata beside `puffin`; answers the path of the table's metadata. `told`: offset, length and
    number of rows of each vector, as the command printed them."""
    root = os.path.dirname(os.path.dirname(puffin))
    folder = os.path.join(root, "metadata")
    os.makedirs(folder)
    found = ranges(puffin, vectors, told)

    def moved(text):  # a path of the template
        return text.replace("warehouse/db/fixture", root)

    with open(os.path.join(TEMPLATE, "v3.metadata.json")) as f:
        metadata = json.loads(moved(f.read()))
    snapshot = next(s for s in metadata["snapshots"] if s["snapshot-id"] == metadata["current-snapshot-id"])
    metadata.update({"snapshots": [snapshot], "snapshot-log": [], "metadata-log": []})
    snapshot["summary"] = {"operation": "delete"}
    snapshot.pop("parent-snapshot-id", None)

    total = sum(v["rows"] for v in vectors)
    list_name = os.path.basename(snapshot["manifest-list"])
    list_schema, list_metadata, manifests = load(list_name)
    for manifest in manifests:
        name = os.path.basename(manifest["manifest_path"])
        schema, manifest_metadata, (template,) = load(name)
        entries = []
        for number, vector in enumerate(vectors):
            file = dict(template["data_file"])
            if manifest["content"] == 0:
                data_file(vector["data_file"], number, vector["rows"])
                file.update({"file_path": vector["data_file"], "record_count": vector["rows"],
                             "file_size_in_bytes": os.path.getsize(vector["data_file"])})
                for bounds in ("column_sizes", "value_counts", "null_value_counts", "nan_value_counts", "lower_bounds",
                               "upper_bounds", "split_offsets"):
                    file[bounds] = None
            else:
                offset, length = found.get(vector["data_file"]) or sys.exit(f"{puffin}: no vector of {vector['data_file']!r}")
                file.update({"file_path": puffin, "record_count": vector["cardinality"], "content_offset": offset,
                             "file_size_in_bytes": os.path.getsize(puffin), "content_size_in_bytes": length,
                             "referenced_data_file": vector["data_file"]})
            entries.append(dict(template, data_file=file))
        path = os.path.join(folder, name)
        manifest.update({"manifest_path": path, "manifest_length": store(path, schema, manifest_metadata, entries),
                         "added_files_count": len(entries), "added_rows_count": sum(e["data_file"]["record_count"] for e in entries)})
    store(os.path.join(folder, list_name), list_schema, list_metadata, manifests)
    metadata["next-row-id"] = total
    snapshot.update({"first-row-id": 0, "added-rows": 0})
    path = os.path.join(folder, "v3.metadata.json")
    with open(path, "w") as f:
        json.dump(metadata, f)
    with open(os.path.join(folder, "version-hint.text"), "w") as f:
        f.write("3")
    return path
