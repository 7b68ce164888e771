//! `puffin inspect`: what the footer says.

use std::collections::BTreeMap;
use std::io::Write;

use comfy_table::Table;
use puffin_codec::Limits;
use puffin_codec::puffin::{BlobMetadata, Codec, FileMetadata, Properties, PuffinFile};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::args::{InspectArgs, Kind};
use crate::input::Input;
use crate::output::{Failure, Out, name, printable};
use crate::select::{Selected, bare, kind_of, with_metadata};

pub(crate) fn run(input: &Input, args: &InspectArgs, limits: &Limits, out: &mut Out) -> Result<(), Failure> {
    match kind_of(input, args.kind)? {
        Kind::Puffin => with_metadata(input, limits, |file, metadata| {
            if args.json {
                puffin_as_json(input, file, metadata, limits, out)
            } else {
                puffin_as_text(input, file, metadata, limits, out)
            }
        }),
        kind => {
            let selected = bare(input, kind)?;
            if args.json {
                print_json(out, &json!({ "file": bare_as_json(input, kind, &selected) }))
            } else {
                bare_as_text(input, kind, &selected, out)
            }
        }
    }
}

fn print_json(out: &mut Out, value: &Value) -> Result<(), Failure> {
    serde_json::to_writer_pretty(&mut *out, value).map_err(std::io::Error::from)?;
    writeln!(out)?;
    Ok(())
}

/// Table lines: one under the header, none between rows.
const LINES: &str = "     ──            ";

const COLUMNS: [&str; 9] =
    ["#", "type", "offset", "length", "codec", "snapshot-id", "sequence-number", "fields", "properties"];

/// Width of the longest name of a column, and a gap.
const INDENT: usize = 17;

/// What a kind is called.
pub(crate) const fn describe(kind: Kind) -> &'static str {
    match kind {
        Kind::Puffin => "puffin",
        Kind::Dv => "deletion-vector-v1",
        Kind::Roaring32 => "roaring32",
        Kind::Roaring64 => "roaring64",
    }
}

fn bare_as_json(input: &Input, kind: Kind, selected: &Selected<'_>) -> Value {
    json!({
        "path": input.path().to_string_lossy(),
        "size": input.len(),
        "kind": describe(kind),
        "cardinality": selected.set.cardinality(),
        "min": selected.set.min(),
        "max": selected.set.max(),
    })
}

fn bare_as_text(input: &Input, kind: Kind, selected: &Selected<'_>, out: &mut Out) -> Result<(), Failure> {
    writeln!(out, "{}: {}, {} bytes", name(input.path()), describe(kind), input.len())?;
    writeln!(out, "cardinality  {}", selected.set.cardinality())?;
    if let (Some(min), Some(max)) = (selected.set.min(), selected.set.max()) {
        writeln!(out, "min, max     {min}, {max}")?;
    }
    Ok(())
}

/// Prints the footer's own object, its text as written, with one member more that says where things are.
fn puffin_as_json(
    input: &Input,
    file: &PuffinFile<'_>,
    metadata: &FileMetadata<'_>,
    limits: &Limits,
    out: &mut Out,
) -> Result<(), Failure> {
    let location = file.footer().location();
    let mut faults = Vec::new();
    let mut blobs = Vec::with_capacity(metadata.blob_count());
    for (number, blob) in metadata.blobs().enumerate() {
        match blob.and_then(|blob| decoded_len(file, &blob, limits)) {
            Ok(len) => blobs.push(json!({ "decoded-length": len })),
            Err(error) => {
                blobs.push(json!({ "error": error.to_string() }));
                faults.push((number, error.to_string()));
            }
        }
    }
    let facts = json!({
        "path": input.path().to_string_lossy(),
        "size": input.len(),
        "footer-offset": location.offset(),
        "footer-size": location.len(),
        "footer-payload-size": location.payload_len(),
        "footer-compressed": location.is_compressed(),
        "blobs": blobs,
    });
    let facts = serde_json::to_string_pretty(&facts).map_err(Failure::data)?.replace('\n', "\n  ");
    let footer: BTreeMap<String, &RawValue> = serde_json::from_str(metadata.json()).map_err(Failure::data)?;
    // A footer may have a member of that name itself; it keeps it.
    let mut own = "file".to_owned();
    while footer.contains_key(&own) {
        own.insert(0, '_');
    }
    let members = metadata.json().trim();
    let members = members.strip_prefix('{').and_then(|members| members.strip_suffix('}')).unwrap_or(members).trim();
    let comma = if members.is_empty() { "" } else { ",\n  " };
    writeln!(out, "{{\n  \"{own}\": {facts}{comma}{members}\n}}")?;
    Failure::of_blobs(&faults).map_or(Ok(()), Err)
}

/// Bytes of a blob after decompression, from its frame's header; `None` if nobody knows its codec.
fn decoded_len(
    file: &PuffinFile<'_>,
    blob: &BlobMetadata<'_>,
    limits: &Limits,
) -> Result<Option<usize>, puffin_codec::Error> {
    match blob.codec() {
        Codec::Unknown => Ok(None),
        _ => file.blob(blob)?.decoded_len(limits).map(Some),
    }
}

fn puffin_as_text(
    input: &Input,
    file: &PuffinFile<'_>,
    metadata: &FileMetadata<'_>,
    limits: &Limits,
    out: &mut Out,
) -> Result<(), Failure> {
    let location = file.footer().location();
    let count = metadata.blob_count();
    writeln!(
        out,
        "{}: Puffin, {} bytes, {count} blob{}, footer of {} bytes at {}{}",
        name(input.path()),
        input.len(),
        if count == 1 { "" } else { "s" },
        location.len(),
        location.offset(),
        if location.is_compressed() { ", LZ4" } else { "" },
    )?;
    for (key, value) in metadata.properties() {
        writeln!(out, "  {} = {}", printable(&key.to_string()), printable(&value.to_string()))?;
    }
    if count == 0 {
        return Ok(());
    }
    let mut faults = Vec::new();
    let mut rows = Vec::with_capacity(count);
    for (number, blob) in metadata.blobs().enumerate() {
        let fault = match blob {
            Ok(blob) => {
                let decoded = decoded_len(file, &blob, limits).map_err(|error| error.to_string());
                rows.push(row(&blob, &decoded));
                decoded.err()
            }
            Err(error) => {
                rows.push(vec![number.to_string(), format!("error: {error}")]);
                Some(error.to_string())
            }
        };
        faults.extend(fault.map(|fault| (number, fault)));
    }
    print_rows(rows, out)?;
    Failure::of_blobs(&faults).map_or(Ok(()), Err)
}

/// Prints a table, or one field a line if a table is wider than the terminal: a path cut to pieces helps nobody.
fn print_rows(rows: Vec<Vec<String>>, out: &mut Out) -> Result<(), Failure> {
    let mut table = Table::new();
    table.load_preset(LINES).set_header(COLUMNS).add_rows(&rows);
    let shown = table.trim_fmt();
    let needed = shown.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    if table.width().is_none_or(|width| needed <= usize::from(width)) {
        writeln!(out, "{shown}")?;
        return Ok(());
    }
    for row in rows {
        write!(out, "\n{}", record(&row))?;
    }
    Ok(())
}

/// Lays a row out with one field a line, those without a value left out.
fn record(row: &[String]) -> String {
    let mut shown = String::new();
    // The row of an entry that cannot be read has its number and the error, which stands under no column.
    let names = if row.len() == COLUMNS.len() { &COLUMNS[..] } else { &["#", ""] };
    for (name, value) in names.iter().zip(row).filter(|(_, value)| !value.is_empty()) {
        let value = value.replace('\n', &format!("\n{:1$}", "", INDENT));
        shown += &format!("{name:<INDENT$}{value}\n");
    }
    shown
}

fn row(blob: &BlobMetadata<'_>, decoded: &Result<Option<usize>, String>) -> Vec<String> {
    let codec = blob.compression_codec().map_or_else(String::new, |codec| {
        let codec = printable(&codec.to_string());
        match decoded {
            Ok(Some(len)) => format!("{codec}, {len} decoded"),
            Ok(None) => format!("{codec}, unknown"),
            Err(error) => format!("{codec}, error: {error}"),
        }
    });
    let fields: Vec<String> = blob.fields().map(|field| field.to_string()).collect();
    vec![
        blob.index().to_string(),
        printable(&blob.blob_type().to_string()),
        blob.offset().to_string(),
        blob.length().to_string(),
        codec,
        blob.snapshot_id().to_string(),
        blob.sequence_number().to_string(),
        fields.join(", "),
        properties(blob.properties()),
    ]
}

fn properties(properties: Properties<'_>) -> String {
    let lines: Vec<String> = properties.map(|(key, value)| printable(&format!("{key} = {value}"))).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_has_one_field_a_line() {
        let row = ["0", "deletion-vector-v1", "4", "44", "", "-1", "-1", "", "a = b\nc = d"].map(str::to_owned);
        assert_eq!(
            record(&row),
            concat!(
                "#                0\n",
                "type             deletion-vector-v1\n",
                "offset           4\n",
                "length           44\n",
                "snapshot-id      -1\n",
                "sequence-number  -1\n",
                "properties       a = b\n",
                "                 c = d\n",
            )
        );
        let unreadable = ["1", "error: field of the wrong JSON type"].map(str::to_owned);
        assert_eq!(
            record(&unreadable),
            concat!("#                1\n", "                 error: field of the wrong JSON type\n")
        );
    }
}
