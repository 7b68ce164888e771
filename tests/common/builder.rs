//! Builds serialized bitmaps and vectors by hand, field by field, each field under its name in the format.

use std::ops::Range;

/// Bytes under construction, and where each named field is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bytes {
    bytes: Vec<u8>,
    fields: Vec<(String, Range<usize>)>,
}

impl Bytes {
    /// Appends a field.
    pub(crate) fn field(&mut self, name: impl Into<String>, bytes: impl AsRef<[u8]>) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes.as_ref());
        self.fields.push((name.into(), start..self.bytes.len()));
    }

    /// Appends other bytes; their fields get the name of the whole in front.
    pub(crate) fn nest(&mut self, name: &str, inner: Self) {
        let start = self.bytes.len();
        self.bytes.extend(inner.bytes);
        let moved = |(field, at): (String, Range<usize>)| (format!("{name}.{field}"), at.start + start..at.end + start);
        self.fields.extend(inner.fields.into_iter().map(moved));
    }

    /// Where a field is.
    pub(crate) fn place(&self, name: &str) -> Range<usize> {
        let field = self.fields.iter().find(|(field, _)| field == name);
        field.unwrap_or_else(|| panic!("no field {name}")).1.clone()
    }

    /// Overwrites a field.
    pub(crate) fn set(&mut self, name: &str, value: impl AsRef<[u8]>) {
        let place = self.place(name);
        self.bytes[place].copy_from_slice(value.as_ref());
    }

    /// What has been built.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// A container, in the form in which it is to be stored.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// Ascending values.
    Array(Vec<u16>),
    /// Ascending values.
    Bitset(Vec<u16>),
    /// First and last value of each run.
    Run(Vec<(u16, u16)>),
}

impl Body {
    /// The values, ascending.
    pub(crate) fn values(&self) -> Vec<u16> {
        match self {
            Self::Array(values) | Self::Bitset(values) => values.clone(),
            Self::Run(runs) => runs.iter().flat_map(|&(first, last)| first..=last).collect(),
        }
    }

    fn cardinality(&self) -> usize {
        match self {
            Self::Array(values) | Self::Bitset(values) => values.len(),
            Self::Run(runs) => runs.iter().map(|&(first, last)| usize::from(last - first) + 1).sum(),
        }
    }

    fn store(&self) -> Bytes {
        let mut out = Bytes::default();
        match self {
            Self::Array(values) => out.field("values", values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<_>>()),
            Self::Bitset(values) => {
                let mut bits = vec![0_u8; 8192];
                values.iter().for_each(|&value| bits[usize::from(value >> 3)] |= 1 << (value & 7));
                out.field("bits", bits);
            }
            Self::Run(runs) => {
                out.field("runs", u16::try_from(runs.len()).unwrap().to_le_bytes());
                for (number, (first, last)) in runs.iter().enumerate() {
                    out.field(format!("start {number}"), first.to_le_bytes());
                    out.field(format!("length {number}"), (last - first).to_le_bytes());
                }
            }
        }
        out
    }
}

/// A 32-bit bitmap: containers under ascending keys. With `run_form` it has the run cookie even if no container is of
/// runs.
pub(crate) fn bitmap32(containers: &[(u16, Body)], run_form: bool) -> Bytes {
    let is_run = |body: &Body| matches!(body, Body::Run(_));
    let run_form = (run_form && !containers.is_empty()) || containers.iter().any(|(_, body)| is_run(body));
    let count = u32::try_from(containers.len()).unwrap();
    let mut out = Bytes::default();
    if run_form {
        out.field("cookie", 12347_u16.to_le_bytes());
        out.field("count - 1", u16::try_from(count - 1).unwrap().to_le_bytes());
        let mut flags = vec![0_u8; containers.len().div_ceil(8)];
        for (number, (_, body)) in containers.iter().enumerate() {
            flags[number / 8] |= u8::from(is_run(body)) << (number % 8);
        }
        out.field("run flags", flags);
    } else {
        out.field("cookie", 12346_u32.to_le_bytes());
        out.field("count", count.to_le_bytes());
    }
    for (number, (key, body)) in containers.iter().enumerate() {
        out.field(format!("key {number}"), key.to_le_bytes());
        out.field(format!("cardinality {number}"), u16::try_from(body.cardinality() - 1).unwrap().to_le_bytes());
    }
    let stored: Vec<Bytes> = containers.iter().map(|(_, body)| body.store()).collect();
    if !run_form || count >= 4 {
        let mut at = out.bytes.len() + 4 * containers.len();
        for (number, container) in stored.iter().enumerate() {
            out.field(format!("offset {number}"), u32::try_from(at).unwrap().to_le_bytes());
            at += container.bytes.len();
        }
    }
    for (number, container) in stored.into_iter().enumerate() {
        out.nest(&format!("container {number}"), container);
    }
    out
}

/// A 64-bit bitmap: 32-bit bitmaps under ascending keys.
pub(crate) fn bitmap64(buckets: Vec<(u32, Bytes)>) -> Bytes {
    let mut out = Bytes::default();
    out.field("bitmaps", (buckets.len() as u64).to_le_bytes());
    for (number, (key, bitmap)) in buckets.into_iter().enumerate() {
        out.field(format!("key {number}"), key.to_le_bytes());
        out.nest(&format!("bitmap {number}"), bitmap);
    }
    out
}
