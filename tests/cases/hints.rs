//! The names that the table has for defects, and the error kinds that say the same.

use puffin_codec::ErrorKind::{self, *};
use puffin_codec::table::FindingKind;

use crate::surfaces::Refusal;

/// Error kinds by the hint of the table.
const HINTS: &[(&str, &[ErrorKind])] = &[
    ("truncated", &[Truncated]),
    ("bad-magic", &[BadMagic]),
    ("bad-footer-size", &[BadFooterSize]),
    ("bad-flags", &[UnknownFlags]),
    ("bad-json", &[BadJson, BadUtf8, BadEscape, DuplicateName, TrailingBytes]),
    (
        "bad-metadata",
        &[
            MissingField,
            WrongType,
            BadInteger,
            WrongBlobType,
            BlobNotFound,
            DataFileMismatch,
            DuplicateVector,
            VectorCompressed,
            SnapshotIdNotInherited,
            SequenceNumberNotInherited,
            MissingProperty,
            BadProperty,
        ],
    ),
    ("blob-out-of-bounds", &[RangeOutOfBounds]),
    ("limit-exceeded", &[JsonTooDeep, TooManyMembers, DecodedLenExceeded]),
    ("unsupported-codec", &[UnknownCodec, CodecNotBuilt, UnsupportedFrame]),
    (
        "bad-frame",
        &[
            BadFrame,
            FrameSizeMismatch,
            UnsupportedFrame,
            HeaderChecksumMismatch,
            BlockChecksumMismatch,
            ContentChecksumMismatch,
        ],
    ),
    ("trailing-bytes", &[TrailingBytes]),
    ("bad-cardinality", &[CardinalityMismatch]),
    ("bad-crc", &[CrcMismatch]),
    ("bad-length", &[LengthMismatch]),
    ("key-out-of-range", &[KeyOutOfRange]),
    ("bad-container", &[ArrayOrder, RunOrder, RunOverflow, NoRuns, CardinalityMismatch]),
    ("bad-cookie", &[BadCookie]),
    ("bad-count", &[BadCount]),
    ("bad-key-order", &[KeyOrder]),
    ("bad-offset", &[OffsetMismatch]),
];

/// Whether a refusal is one of the classes in a hint, which are separated by bars.
pub(crate) fn agrees(hint: &str, refusal: &Refusal) -> Result<bool, String> {
    let mut agrees = false;
    for name in hint.split('|') {
        let (_, kinds) = HINTS.iter().find(|(known, _)| *known == name).ok_or(format!("unknown class {name:?}"))?;
        agrees |= match refusal {
            Refusal::Error(error) => kinds.contains(&error.kind()),
            Refusal::Finding(FindingKind::Fault(kind)) => kinds.contains(kind),
            Refusal::Finding(_) => name == "bad-metadata",
            Refusal::Argument(_) => true,
        };
    }
    Ok(agrees)
}
