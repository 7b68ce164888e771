//! Bare bitmaps and framed vectors of the corpus.

use std::collections::BTreeMap;

use puffin_codec::Error;
use puffin_codec::deletion_vector::DeletionVector;
use puffin_codec::roaring::{Bitmap32, Bitmap64, ContainerKind};
use serde_json::{Value, json};

use crate::Outcome;
use crate::common::digest::hex;
use crate::common::facts::{Object, check_consistency, same, take_set_facts};
use crate::common::whole::check_whole;

/// First word of a bitmap that may hold run containers.
const RUN_COOKIE: u16 = 12347;
/// Fewest containers that come with an offset header in the run form.
const NO_OFFSET_THRESHOLD: usize = 4;
/// The truth lists at most so many keys.
const MOST_KEYS: usize = 64;

/// Parses a valid file and takes the truth that holds.
pub(crate) fn compare(kind: &str, bytes: &[u8], truth: &mut Object) -> Result<Outcome, String> {
    let parsed = match kind {
        "dv-blob" => match DeletionVector::parse(bytes) {
            Ok(vector) => return compare_vector(&vector, bytes, truth).map(|()| Outcome::Read),
            Err(error) => Err(error),
        },
        "roaring32" => Bitmap32::parse(bytes).map(|bitmap| {
            if let Some(containers) = truth.remove("containers") {
                same("containers", count_containers([bitmap].into_iter()), containers)?;
            }
            take_set_facts(truth, &bitmap)?;
            check_consistency(&bitmap)?;
            check_whole(&bitmap)
        }),
        "roaring64" => Bitmap64::parse(bytes).map(|bitmap| {
            take_set_facts(truth, &bitmap)?;
            check_consistency(&bitmap)?;
            check_whole(&bitmap)
        }),
        other => return Err(format!("unknown kind {other:?}")),
    };
    match parsed {
        Ok(compared) => compared.map(|()| Outcome::Read),
        Err(error) => Ok(refused(error)),
    }
}

/// Compares a vector with what the truth says about its positions, its layout and its CRC.
pub(crate) fn compare_vector(vector: &DeletionVector<'_>, blob: &[u8], truth: &mut Object) -> Result<(), String> {
    if let Some(Value::Object(mut reads)) = truth.remove("iceberg-java-reads") {
        take_set_facts(&mut reads, vector)?;
    }
    take_set_facts(truth, vector)?;
    if let Some(layout) = truth.remove("layout") {
        same("layout", layout_of(*vector.bitmap()), layout)?;
    }
    if let Some(crc) = truth.remove("crc32_be") {
        same("crc32_be", blob.last_chunk::<4>().map(|crc| hex(crc)).as_deref(), crc.as_str())?;
    }
    check_consistency(vector)?;
    check_whole(vector)
}

/// Parses a file that need not be valid.
pub(crate) fn read(kind: &str, bytes: &[u8]) -> Result<Outcome, String> {
    let parsed = match kind {
        "dv-blob" => DeletionVector::parse(bytes).map(|vector| (check_consistency(&vector), vector.max())),
        "roaring32" => Bitmap32::parse(bytes).map(|bitmap| (check_consistency(&bitmap), None)),
        "roaring64" => Bitmap64::parse(bytes).map(|bitmap| (check_consistency(&bitmap), None)),
        other => return Err(format!("unknown kind {other:?}")),
    };
    match parsed {
        Ok((consistent, max)) => {
            consistent?;
            Ok(if max.is_some_and(only_java_refuses) {
                Outcome::Refused("by Java alone".into())
            } else {
                Outcome::Read
            })
        }
        Err(error) => Ok(refused(error)),
    }
}

/// Whether a vector with this highest position is malformed to Iceberg Java alone: the specification asks for a key
/// whose top bit is 0, Java refuses 0x7FFF_FFFF too. We read by the specification and never write that key.
fn only_java_refuses(max: u64) -> bool {
    max >> 32 == 0x7FFF_FFFF
}

pub(crate) fn refused(error: Error) -> Outcome {
    Outcome::Refused(error.to_string())
}

/// The layout of a bitmap, as the truth files describe it.
fn layout_of(bitmap: Bitmap64<'_>) -> Value {
    let buckets: Vec<(u32, Bitmap32<'_>)> = bitmap.buckets().collect();
    let count = |wanted: &dyn Fn(&Bitmap32<'_>) -> bool| buckets.iter().filter(|(_, bitmap)| wanted(bitmap)).count();
    let run_form = |bitmap: &Bitmap32<'_>| bitmap.bytes().starts_with(&RUN_COOKIE.to_le_bytes());
    json!({
        "bitmaps": bitmap.bucket_count(),
        "keys": buckets.iter().map(|(key, _)| *key).take(MOST_KEYS).collect::<Vec<_>>(),
        "empty_bitmaps": count(&|bitmap| bitmap.is_empty()),
        "run_cookie_bitmaps": count(&run_form),
        "bitmaps_without_offset_header":
            count(&|bitmap| run_form(bitmap) && bitmap.container_count() < NO_OFFSET_THRESHOLD),
        "containers": count_containers(buckets.iter().map(|(_, bitmap)| *bitmap)),
    })
}

/// How many containers of each kind there are.
fn count_containers<'a>(bitmaps: impl Iterator<Item = Bitmap32<'a>>) -> Value {
    let mut counts = BTreeMap::from([("array", 0), ("bitset", 0), ("run", 0)]);
    for (_, container) in bitmaps.flat_map(|bitmap| bitmap.containers()) {
        let kind = match container.kind() {
            ContainerKind::Array => "array",
            ContainerKind::Bitset => "bitset",
            ContainerKind::Run => "run",
        };
        *counts.entry(kind).or_default() += 1;
    }
    json!(counts)
}
