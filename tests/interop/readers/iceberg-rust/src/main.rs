//! Reads the files of `cases.json` with the Puffin reader of iceberg-rust, and the bitmaps in their blobs with `roaring`,
//! the crate that iceberg-rust keeps deletes in. Prints one line of JSON a file. Argument: the work folder.

use std::error::Error;

use iceberg::io::FileIO;
use iceberg::puffin::PuffinReader;
use roaring::RoaringTreemap;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

const MAGIC: [u8; 4] = [0xd1, 0xd3, 0x39, 0x64];

/// The bitmap between the length and the magic in front and the CRC behind.
fn bitmap(blob: &[u8]) -> Result<RoaringTreemap, Box<dyn Error>> {
    let inner = blob.strip_suffix(blob.last_chunk::<4>().ok_or("no CRC")?).ok_or("no CRC")?;
    let (length, inner) = inner.split_first_chunk().ok_or("no length")?;
    if u32::from_be_bytes(*length) as usize != inner.len() {
        return Err("the length is not that of the blob".into());
    }
    Ok(RoaringTreemap::deserialize_from(inner.strip_prefix(&MAGIC).ok_or("no magic")?)?)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

async fn read(path: &str) -> Result<Value, Box<dyn Error>> {
    let reader = PuffinReader::new(FileIO::new_with_fs().new_input(path)?);
    let metadata = reader.file_metadata().await?;
    let (mut vectors, mut blobs) = (vec![], vec![]);
    for blob in metadata.blobs() {
        let payload = reader.blob(blob).await?;
        if blob.blob_type() != "deletion-vector-v1" {
            blobs.push(json!({
                "type": blob.blob_type(), "fields": blob.fields(), "properties": blob.properties(),
                "snapshot_id": blob.snapshot_id(), "sequence_number": blob.sequence_number(),
                "sha256": hex(&Sha256::digest(payload.data())),
            }));
            continue;
        }
        let positions = bitmap(payload.data())?;
        let mut digest = Sha256::new();
        let mut cardinality = 0_u64;
        for position in &positions {
            digest.update(position.to_le_bytes());
            cardinality += 1;
        }
        let data_file = blob.properties().get("referenced-data-file");
        vectors.push(json!({"data_file": data_file, "cardinality": cardinality, "sha256": hex(&digest.finalize())}));
    }
    Ok(json!({"properties": metadata.properties(), "vectors": vectors, "blobs": blobs}))
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let work = std::env::args().nth(1).ok_or("argument: the work folder")?;
    let work = std::fs::canonicalize(work)?;
    let cases: Vec<Value> = serde_json::from_slice(&std::fs::read(work.join("cases.json"))?)?;
    for case in cases {
        let path = work.join(case["file"].as_str().ok_or("no file")?);
        let mut line = match read(path.to_str().ok_or("a path that is no UTF-8")?).await {
            Ok(found) => found,
            Err(error) => json!({"error": error.to_string()}),
        };
        line["case"] = case["case"].clone();
        println!("{line}");
    }
    Ok(())
}
