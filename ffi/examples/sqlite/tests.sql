.print # version: three numbers
SELECT puffin_codec_version() GLOB '[0-9]*.[0-9]*.[0-9]*' AS version;

CREATE TEMP TABLE files(name TEXT PRIMARY KEY, at TEXT);
INSERT INTO files VALUES
  ('two', 'corpus/spark-3.5.9-iceberg-1.10.2/warehouse/db/plain/data/00000-20-79ec4c5e-bc72-4eca-9d23-ab673d21be0c-00001-deletes.puffin'),
  ('names', 'corpus/spark-3.5.9-iceberg-1.10.2/warehouse/db/names/data/00000-82-59beb2f6-a806-4901-8d82-aedb5c385e2a-00001-deletes.puffin'),
  ('large', 'corpus/spark-3.5.9-iceberg-1.10.2/warehouse/db/large/data/00000-261-22d124a7-5177-491c-a518-de9f361880e1-00001-deletes.puffin'),
  ('theta', 'corpus/spark-3.5.9-iceberg-1.10.2/warehouse/db/plain/metadata/6101070314012668641-b572cc25-77dc-4f73-9f9f-ac353e1e3ca2.stats'),
  ('lz4', 'corpus/liblz4-1.9.4/puffin/lz4-footer-linked.puffin'),
  ('lz4 blobs', 'corpus/liblz4-1.9.4/puffin/lz4-blobs.puffin');
.parameter init
.parameter set @large "'corpus/spark-3.5.9-iceberg-1.10.2/warehouse/db/large/data/00000-261-22d124a7-5177-491c-a518-de9f361880e1-00001-deletes.puffin'"
.parameter set @rows "'warehouse/db/large/data/00000-259-f17b9fc1-233f-498c-bbf5-83866e65b1b0-0-00001.parquet'"

.print # what Spark, liblz4 and a statistics job wrote
.mode line
SELECT b.* FROM files JOIN puffin_blobs(at) b WHERE name IN ('two', 'theta', 'lz4') ORDER BY name, blob;
.mode list
.print # text without escapes; JSON for the functions of JSON; rowid is the number of the blob
SELECT rowid, blob, type, codec, properties, properties ->> 'note' FROM puffin_blobs((SELECT at FROM files WHERE name = 'lz4 blobs')) LIMIT 3;
SELECT count(*), sum(cardinality), count(DISTINCT referenced_data_file), sum(json_valid(properties) AND json_valid(fields)) FROM files JOIN puffin_blobs(at) WHERE name = 'names';
.print # no file, no rows
SELECT count(*) FROM puffin_blobs(NULL);

.print # every valid Puffin file of the corpus against what other libraries say of it
.mode tabs
.import corpus/INDEX.tsv list
.mode list
CREATE TEMP TABLE truth AS
  SELECT 'corpus/' || t.path AS file, key AS blob, value
  FROM (SELECT path, iif(truth LIKE '@%', readfile('corpus/' || substr(truth, 2)), truth) AS truth
        FROM list WHERE kind = 'puffin' AND verdict = 'valid') t, json_each(t.truth, '$.blobs');
CREATE TEMP TABLE read AS
  SELECT t.file AS path, b.* FROM (SELECT DISTINCT file FROM truth) t JOIN puffin_blobs(t.file) b;
SELECT count(DISTINCT file) > 20 AS files, count(*) > 60 AS blobs, count(*) = (SELECT count(*) FROM read) AS as_many FROM truth;
.print # blobs that differ: none
SELECT t.file, t.blob FROM truth t LEFT JOIN read r ON r.path = t.file AND r.blob = t.blob
WHERE r.type IS NOT value ->> 'type' OR r."offset" IS NOT value ->> 'offset' OR r.length IS NOT value ->> 'length'
   OR r.snapshot_id IS NOT value ->> 'snapshot_id' OR r.sequence_number IS NOT value ->> 'sequence_number'
   OR r.codec IS NOT value ->> 'compression_codec' OR json(r.fields) IS NOT value -> 'fields'
   OR r.referenced_data_file IS NOT value ->> '$.properties.referenced-data-file'
   OR CAST(r.cardinality AS TEXT) IS NOT value ->> '$.properties.cardinality'
   OR (SELECT json_group_array(key || '=' || value) FROM (SELECT key, value FROM json_each(r.properties) ORDER BY key))
      IS NOT (SELECT json_group_array(key || '=' || value) FROM (SELECT key, value FROM json_each(t.value, '$.properties') ORDER BY key));
.print # vectors that differ: none
SELECT t.file, t.blob FROM truth t
WHERE value -> 'dv' IS NOT NULL AND
  (SELECT json_array(count(*), min(position), max(position)) FROM puffin_positions(t.file, value ->> '$.properties.referenced-data-file'))
  IS NOT json_array(value ->> '$.dv.cardinality', value ->> '$.dv.min', value ->> '$.dv.max');

.print # a table of 100,000 rows, two ways
CREATE TEMP TABLE rows AS WITH RECURSIVE n(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM n WHERE i < 99999) SELECT i AS id FROM n;
CREATE TEMP TABLE live AS SELECT id FROM rows WHERE NOT puffin_is_deleted(@large, @rows, id);
CREATE TEMP TABLE others AS SELECT id FROM rows WHERE id NOT IN (SELECT position FROM puffin_positions(@large, @rows));
SELECT count(*) FROM live;
SELECT count(*) FROM puffin_positions(@large, @rows) WHERE position < 100000;
SELECT (SELECT count(*) FROM live) + (SELECT count(*) FROM puffin_positions(@large, @rows) WHERE position < 100000);
SELECT count(*) FROM (SELECT * FROM live EXCEPT SELECT * FROM others);
SELECT count(*) FROM (SELECT * FROM others EXCEPT SELECT * FROM live);
.print # and with the vector as the inner table
SELECT count(*) FROM rows CROSS JOIN puffin_positions(@large, @rows) ON position = id;

.print # bounds: each against a copy of all positions
CREATE TEMP TABLE copy(position INTEGER PRIMARY KEY, ordinal INTEGER);
INSERT INTO copy SELECT position, rowid FROM puffin_positions(@large, @rows);
SELECT count(*), min(ordinal), max(ordinal), min(position), max(position) FROM copy;
CREATE TEMP TABLE bounds(a, b);
INSERT INTO bounds VALUES (0, 10), (500, 500), (-5, 3), (10, 5), (65535, 65536), (1000000, 1003000), (2999000, 9000000000),
  (9223372036854775807, 9223372036854775807), (-9223372036854775807 - 1, 0), (12.5, 30.5), (-0.5, 0.5), ('17', '40'), ('x', 5),
  (5, 'x'), (NULL, 5), (5, NULL), (1000844, 1000844), (1000843, 1000845), (1000844, 1001857), (1e300, 1e301), (-1e300, 20), (x'01', 5), (12.0, 12.0);
SELECT count(*), sum(p IS q) FROM (SELECT
  (SELECT json_array(count(*), total(position), total(rowid)) FROM puffin_positions(@large, @rows) WHERE position >= a AND position <= b) AS p,
  (SELECT json_array(count(*), total(position), total(ordinal)) FROM copy WHERE position >= a AND position <= b) AS q FROM bounds);
SELECT count(*), sum(p IS q) FROM (SELECT
  (SELECT json_array(count(*), total(position), total(rowid)) FROM puffin_positions(@large, @rows) WHERE position > a AND position < b) AS p,
  (SELECT json_array(count(*), total(position), total(ordinal)) FROM copy WHERE position > a AND position < b) AS q FROM bounds);
SELECT count(*), sum(p IS q) FROM (SELECT
  (SELECT json_array(count(*), total(position), total(rowid)) FROM puffin_positions(@large, @rows) WHERE position = a OR position = b) AS p,
  (SELECT json_array(count(*), total(position), total(ordinal)) FROM copy WHERE position = a OR position = b) AS q FROM bounds);
SELECT rowid, position FROM puffin_positions(@large, @rows) WHERE position > 1000000 ORDER BY position LIMIT 3;
SELECT rowid, position FROM puffin_positions(@large, @rows) ORDER BY position DESC LIMIT 3;
SELECT count(*) FROM puffin_positions(@large, @rows) WHERE position IN (SELECT position + (ordinal % 2) * 10000000 FROM copy LIMIT 1000);
.print # the plans: bounds are passed on, ascending order needs no sorting
EXPLAIN QUERY PLAN SELECT * FROM puffin_positions(@large, @rows) WHERE position >= 5 AND position < 9 ORDER BY position;
EXPLAIN QUERY PLAN SELECT * FROM puffin_positions(@large, @rows) ORDER BY position DESC;

.print # arguments of puffin_is_deleted: constants, columns, NULL
SELECT puffin_is_deleted(@large, @rows, NULL), puffin_is_deleted(NULL, @rows, 1), puffin_is_deleted(@large, NULL, 1);
SELECT puffin_is_deleted(@large, @rows, -1), puffin_is_deleted(@large, 'other.parquet', 0), puffin_is_deleted(@large, @rows, '0'), puffin_is_deleted(@large, @rows, 9223372036854775807);
SELECT name, blob, sum(puffin_is_deleted(b.file, referenced_data_file, id)) FROM files JOIN puffin_blobs(at) b JOIN (SELECT id FROM rows LIMIT 2000) WHERE name IN ('two', 'lz4') GROUP BY name, blob;
.print # one data file, changing files; one file, changing data files
SELECT sum(puffin_is_deleted(at, @rows, id)) FROM (SELECT id FROM rows LIMIT 200) JOIN files WHERE name IN ('two', 'large', 'lz4');
SELECT sum(puffin_is_deleted((SELECT at FROM files WHERE name = 'two'), referenced_data_file, id)) FROM (SELECT id FROM rows LIMIT 1000) JOIN (SELECT referenced_data_file FROM files JOIN puffin_blobs(at) WHERE name = 'two');

.print # no vector, no rows
SELECT count(*) FROM puffin_positions(@large, 'other.parquet');
SELECT count(*) FROM puffin_positions(@large, NULL);
SELECT count(*) FROM puffin_positions((SELECT at FROM files WHERE name = 'theta'), @rows);
SELECT DISTINCT file = @large, data_file = @rows FROM puffin_positions(@large, @rows);

.print # faults
SELECT * FROM puffin_blobs('no-such-file.puffin');
SELECT * FROM puffin_blobs('corpus');
SELECT * FROM puffin_blobs('empty.puffin');
SELECT * FROM puffin_blobs('corpus/INDEX.tsv');
SELECT * FROM puffin_blobs('corpus/by-hand/puffin/bad-json.puffin');
SELECT * FROM puffin_blobs('corpus/by-hand/puffin/bad-lz4-footer-truncated.puffin');
SELECT blob FROM puffin_blobs('corpus/by-hand/puffin/bad-missing-type.puffin');
SELECT * FROM puffin_blobs('cases/034-blob-bounds-past-eof.puffin');
SELECT * FROM puffin_blobs(char(97, 0, 98));
.print # a damaged vector: its file can be listed, and the other vector read
SELECT count(*) FROM puffin_blobs('damaged.puffin');
SELECT b.blob, (SELECT count(*) FROM puffin_positions('damaged.puffin', referenced_data_file)) FROM puffin_blobs('damaged.puffin') b WHERE blob = 1;
SELECT b.blob, (SELECT count(*) FROM puffin_positions('damaged.puffin', referenced_data_file)) FROM puffin_blobs('damaged.puffin') b WHERE blob = 0;
SELECT puffin_is_deleted('damaged.puffin', referenced_data_file, 0) FROM puffin_blobs('damaged.puffin');
SELECT position FROM puffin_blobs('cases/111-dv-card-mismatch-more.puffin') b JOIN puffin_positions('cases/111-dv-card-mismatch-more.puffin', b.referenced_data_file);
SELECT puffin_is_deleted('no-such-file.puffin', 'a', 1);
SELECT puffin_is_deleted(@large, @rows, 'one');
.print # wrong number of arguments
SELECT * FROM puffin_blobs;
SELECT * FROM puffin_blobs('a', 'b');
SELECT * FROM puffin_positions(@large);
SELECT * FROM puffin_positions(@large, @rows, 3);
SELECT puffin_is_deleted(@large, @rows);
SELECT puffin_codec_version(1);
.print # not from views, which may be somebody else's
CREATE VIEW v AS SELECT * FROM puffin_blobs('empty.puffin');
SELECT * FROM v;
