//! What each surface of the table asks of the library.

use std::fmt;

use puffin_codec::deletion_vector::{DeletionVector, Encoder, Source, encode_scratch_len};
use puffin_codec::puffin::DELETION_VECTOR_V1;
use puffin_codec::puffin::property::REFERENCED_DATA_FILE;
use puffin_codec::roaring::{Bitmap32, Bitmap64};
use puffin_codec::table::{self, FindingKind, ManifestEntry, Severity, Verify};
use puffin_codec::{Error, ErrorKind, Limits, compression};
use serde_json::Value;

use crate::common::digest::sha256;
use crate::common::facts::{Object, check_consistency, integer, same, take_set_facts};
use crate::common::open::{Scratch, check_ways_to_open, text};
use crate::common::whole::{Bulk, check_whole};
use crate::sequence;

/// Why an input was refused.
pub(crate) enum Refusal {
    /// The call gave this error.
    Error(Error),
    /// `verify` found this.
    Finding(FindingKind),
    /// The argument is not a number that the call can take.
    Argument(i128),
}

impl Refusal {
    /// The number that says the same through C.
    pub(crate) fn number(&self) -> u16 {
        match self {
            Self::Error(error) => error.kind().number(),
            Self::Finding(kind) => kind.number(),
            Self::Argument(_) => ErrorKind::InvalidArgument.number(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Error(error) => write!(f, "{} ({error})", error.kind().name()),
            Self::Finding(kind) => write!(f, "finding {kind:?}"),
            Self::Argument(number) => write!(f, "{number} is out of the argument's range"),
        }
    }
}

/// Why a row did not go through.
pub(crate) enum Fault {
    /// The library refuses the input, which may be what the row wants.
    Refused(Refusal),
    /// The library's answer is wrong, or the row is.
    Wrong(String),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self::Refused(Refusal::Error(error))
    }
}

impl From<String> for Fault {
    fn from(reason: String) -> Self {
        Self::Wrong(reason)
    }
}

impl From<&str> for Fault {
    fn from(reason: &str) -> Self {
        Self::Wrong(reason.to_owned())
    }
}

pub(crate) type Answer = Result<(), Fault>;

/// Context keys that put questions to any set of positions.
const SEQUENCE: &[&str] = &["take", "seek", "windows", "expand_rows"];
/// Facts about any set of positions.
const SET: &[&str] = &["cardinality", "min", "max", "positions", "positions_sha256"];

/// The context keys and the facts that a surface knows.
pub(crate) fn known(surface: &str) -> Option<[Vec<&'static str>; 2]> {
    let (arguments, facts): (&[&str], &[&str]) = match surface {
        "puffin-open" | "puffin-verify" => {
            return Some([vec![], vec!["blobs", "referenced_data_file", "snapshot_id"]]);
        }
        "lz4-frame" | "zstd-frame" => return Some([vec![], vec!["out_len", "out_sha256"]]),
        "puffin-blob" => {
            (&["blob"], &["cardinality", "min", "max", "positions", "positions_sha256", "out_len", "out_sha256"])
        }
        "dv-range" | "dv-bound" => (&["content_offset", "content_size", "record_count", "referenced_data_file"], SET),
        "dv-blob" => (&["record_count"], SET),
        "r32" | "r64" => (&["consumed"], SET),
        "encode-dv" => (&["positions"], &["size", "cardinality", "min", "max", "positions", "positions_sha256"]),
        _ => return None,
    };
    Some([[arguments, SEQUENCE].concat(), facts.to_vec()])
}

/// Asks what the surface asks, and takes the facts that hold.
pub(crate) fn ask(surface: &str, bytes: &[u8], context: &Object, facts: &mut Object) -> Answer {
    let limits = Limits::default();
    match surface {
        "puffin-open" => open(bytes, facts),
        "puffin-verify" => {
            verify(bytes)?;
            open(bytes, facts)
        }
        "puffin-blob" => blob(bytes, context, facts),
        "dv-range" => {
            let record_count = optional(context, "record_count")?;
            let vector = table::read_range(
                bytes,
                number(context, "content_offset")?,
                number(context, "content_size")?,
                record_count.map(narrow).transpose()?,
            )?;
            set_answer(&vector, context, facts)
        }
        "dv-bound" => bound(bytes, context, facts),
        "dv-blob" => {
            let vector = match optional(context, "record_count")? {
                None => DeletionVector::parse(bytes)?,
                Some(count) => DeletionVector::parse_with_cardinality(bytes, narrow(count)?)?,
            };
            set_answer(&vector, context, facts)
        }
        "r32" => bitmap(bytes, Bitmap32::parse, Bitmap32::parse_prefix, context, facts),
        "r64" => bitmap(bytes, Bitmap64::parse, Bitmap64::parse_prefix, context, facts),
        "encode-dv" => encode(bytes, context, facts),
        "lz4-frame" => {
            let mut out = vec![0; compression::lz4::decoded_len(bytes, &limits)?];
            frame(compression::lz4::decode_into(bytes, &mut out, &limits)?, facts)
        }
        "zstd-frame" => {
            let mut out = vec![0; compression::zstd::decoded_len(bytes, &limits)?];
            frame(compression::zstd::decode_into(bytes, &mut out, &limits)?, facts)
        }
        other => Err(Fault::Wrong(format!("unknown surface {other:?}"))),
    }
}

fn open(bytes: &[u8], facts: &mut Object) -> Answer {
    let mut scratch = Scratch::default();
    let (_, metadata) = scratch.open(bytes)?;
    let blobs = metadata.blobs().collect::<Result<Vec<_>, _>>()?;
    if let Some(truth) = facts.remove("blobs") {
        same("blobs", blobs.len() as i128, integer(&truth)?)?;
    }
    if let Some(truth) = facts.remove("snapshot_id") {
        let truth = if truth.is_null() { None } else { Some(integer(&truth)?) };
        same("snapshot_id", blobs.first().map(|blob| blob.snapshot_id().into()), truth)?;
    }
    if let Some(truth) = facts.remove("referenced_data_file") {
        let ours = blobs.first().and_then(|blob| blob.property(REFERENCED_DATA_FILE)).map(text).transpose()?;
        same("referenced_data_file", ours.as_deref(), truth.as_str())?;
    }
    Ok(check_ways_to_open(bytes, &metadata)?)
}

fn verify(bytes: &[u8]) -> Answer {
    let mut scratch = Scratch::default();
    let (file, metadata) = scratch.open(bytes)?;
    let mut memory = vec![0; table::verify_scratch_len(metadata.blob_count())];
    let mut findings = Verify::new(&file, &metadata, &mut memory)?;
    match findings.find(|finding| finding.severity() == Severity::Error) {
        Some(finding) => Err(Fault::Refused(Refusal::Finding(finding.kind()))),
        None => Ok(()),
    }
}

fn blob(bytes: &[u8], context: &Object, facts: &mut Object) -> Answer {
    let mut scratch = Scratch::default();
    let (file, metadata) = scratch.open(bytes)?;
    let index = number(context, "blob")?;
    let blob = metadata.blob(index).ok_or(Fault::Refused(Refusal::Argument(index as i128)))??;
    if blob.blob_type() == DELETION_VECTOR_V1 {
        return set_answer(&table::read_vector(&file, &blob)?, context, facts);
    }
    let payload = file.blob(&blob)?;
    let mut out = vec![0; payload.decoded_len(&Limits::default())?];
    frame(payload.decode_into(&mut out, &Limits::default())?, facts)
}

fn bound(bytes: &[u8], context: &Object, facts: &mut Object) -> Answer {
    let mut scratch = Scratch::default();
    let (file, metadata) = scratch.open(bytes)?;
    let path = context.get("referenced_data_file").and_then(|path| path.as_str());
    let (content_offset, content_size_in_bytes) =
        (number(context, "content_offset")?, number(context, "content_size")?);
    let record_count = match optional(context, "record_count")? {
        Some(count) => narrow(count)?,
        // A row that is not about the count leaves it to the vector.
        None => narrow(table::read_range(bytes, content_offset, content_size_in_bytes, None)?.cardinality().into())?,
    };
    let entry = ManifestEntry {
        content_offset,
        content_size_in_bytes,
        record_count,
        referenced_data_file: path.ok_or("referenced_data_file is not a string")?,
    };
    set_answer(&table::read_bound(&file, &metadata, &entry)?, context, facts)
}

/// Encodes the positions of the context; the blob has to be `bytes`.
fn encode(bytes: &[u8], context: &Object, facts: &mut Object) -> Answer {
    let positions = positions(context.get("positions").ok_or("the context has no positions")?)?;
    let mut sources = [Source::positions(&positions)?];
    let mut encoder = Encoder::new(&mut sources);
    let mut scratch = vec![0; encode_scratch_len(1)];
    let mut blob = vec![0; encoder.encoded_len(&mut scratch)?];
    let encoded = encoder.encode_into(&mut scratch, &mut blob)?;
    same("length", encoded.len(), blob.len())?;
    same("bytes", &blob[..], bytes)?;
    if let Some(truth) = facts.remove("size") {
        same("size", blob.len() as i128, integer(&truth)?)?;
    }
    set_answer(&DeletionVector::parse_with_cardinality(&blob, encoded.cardinality())?, context, facts)
}

/// The positions of a context: a list as it is, or those that four numbers stand for, ascending.
fn positions(value: &Value) -> Result<Vec<u64>, Fault> {
    match value {
        Value::Array(list) => list.iter().map(|position| narrow(integer(position)?)).collect(),
        Value::Object(rule) => {
            let [start, step, count, run] = ["start", "step", "count", "run"].map(|key| number::<u64>(rule, key));
            let (start, step, run) = (start?, step?, run?);
            let mut positions: Vec<u64> =
                (0..count?).flat_map(|i| (0..run).map(move |j| start + i * step + j)).collect();
            positions.sort_unstable();
            Ok(positions)
        }
        _ => Err("positions are neither a list nor a rule".into()),
    }
}

/// Parses a bitmap; `consumed` in the context asks for a prefix of that length.
fn bitmap<'a, S: Bulk>(
    bytes: &'a [u8],
    parse: impl Fn(&'a [u8]) -> Result<S, Error>,
    parse_prefix: impl Fn(&'a [u8]) -> Result<(S, usize), Error>,
    context: &Object,
    facts: &mut Object,
) -> Answer {
    let wanted = optional(context, "consumed")?;
    let (set, used) = match wanted {
        None => (parse(bytes)?, bytes.len()),
        Some(_) => parse_prefix(bytes)?,
    };
    same("bytes used", used as i128, wanted.unwrap_or(bytes.len() as i128))?;
    same("bytes used of a prefix", parse_prefix(bytes).map(|(_, used)| used), Ok(used))?;
    set_answer(&set, context, facts)
}

fn set_answer(set: &impl Bulk, context: &Object, facts: &mut Object) -> Answer {
    sequence::check(set, context, facts)?;
    take_set_facts(facts, set)?;
    check_consistency(set)?;
    Ok(check_whole(set)?)
}

fn frame(out: &[u8], facts: &mut Object) -> Answer {
    if let Some(truth) = facts.remove("out_len") {
        same("out_len", out.len() as i128, integer(&truth)?)?;
    }
    if let Some(truth) = facts.remove("out_sha256") {
        same("out_sha256", Some(sha256(out).as_str()), truth.as_str())?;
    }
    Ok(())
}

/// An optional number of the context.
fn optional(context: &Object, key: &str) -> Result<Option<i128>, Fault> {
    Ok(context.get(key).filter(|value| !value.is_null()).map(integer).transpose()?)
}

/// A required number of the context, as the type that the call takes.
fn number<T: TryFrom<i128>>(context: &Object, key: &str) -> Result<T, Fault> {
    narrow(optional(context, key)?.ok_or_else(|| format!("the context has no {key}"))?)
}

/// A number as the type that the call takes; one that the type cannot hold is a refusal of the argument.
fn narrow<T: TryFrom<i128>>(number: i128) -> Result<T, Fault> {
    T::try_from(number).map_err(|_| Fault::Refused(Refusal::Argument(number)))
}
