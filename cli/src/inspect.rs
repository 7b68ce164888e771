//! `puffin inspect`: what the footer says.

use std::collections::BTreeMap;
use std::io::Write;

use comfy_table::{ContentArrangement, Table};
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
                out.write_all(puffin_as_json(input, file, metadata, limits)?.as_bytes()).map_err(Failure::from)
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

/// The footer's own object, its text as written, with one member more that says where things are.
fn puffin_as_json(
    input: &Input,
    file: &PuffinFile<'_>,
    metadata: &FileMetadata<'_>,
    limits: &Limits,
) -> Result<String, Failure> {
    let location = file.footer().location();
    let blobs: Vec<Value> = metadata
        .blobs()
        .map(|blob| match blob.and_then(|blob| decoded_len(file, &blob, limits)) {
            Ok(len) => json!({ "decoded-length": len }),
            Err(error) => json!({ "error": error.to_string() }),
        })
        .collect();
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
    Ok(format!("{{\n  \"{own}\": {facts}{comma}{members}\n}}\n"))
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
    let mut table = Table::new();
    table.load_preset(LINES).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header([
        "#",
        "type",
        "offset",
        "length",
        "codec",
        "snapshot-id",
        "sequence-number",
        "fields",
        "properties",
    ]);
    let mut odd = Vec::new();
    for (number, blob) in metadata.blobs().enumerate() {
        match blob {
            Ok(blob) => {
                table.add_row(row(file, &blob, limits));
            }
            Err(error) => {
                table.add_row([number.to_string(), format!("error: {error}")]);
                odd.push(number.to_string());
            }
        }
    }
    writeln!(out, "{}", table.trim_fmt())?;
    if odd.is_empty() {
        return Ok(());
    }
    Err(Failure::Data(format!("unreadable footer entries of blobs {}", odd.join(", "))))
}

fn row(file: &PuffinFile<'_>, blob: &BlobMetadata<'_>, limits: &Limits) -> Vec<String> {
    let codec = blob.compression_codec().map_or_else(String::new, |codec| {
        let codec = printable(&codec.to_string());
        match decoded_len(file, blob, limits) {
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
