//! `puffin create`: a file of vectors made from lists of positions, or of any blobs that are described.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use puffin_codec::deletion_vector::{Encoder, Source};
use puffin_codec::puffin::{Codec, DELETION_VECTOR_V1, property};
use serde_json::{Map, Value};

use crate::args::CreateArgs;
use crate::assemble::{self, Blob, Entry, NewEntry};
use crate::lists::{self, List};
use crate::output::{Failure, Located, Out, at};
use crate::target::Target;

pub(crate) fn run(args: &CreateArgs, out: &mut Out) -> Result<(), Located> {
    let target = Target::create(&args.made.output)?;
    let (mut properties, mut blobs) = match &args.description {
        Some(path) => Description::read(path)?.assemble(args.made.dense)?,
        None => (Vec::new(), Vec::new()),
    };
    for (name, value) in &args.made.properties {
        set_property(&mut properties, name, value);
    }
    for (data_file, lists) in united(&args.vectors)? {
        blobs.push(encode(&data_file, &lists, args.made.dense)?);
    }
    let (path, silent) = (target.path().to_owned(), target.is_stdout());
    let borrowed = properties.iter().map(|(name, value)| (name, value));
    let source = args.description.as_deref().unwrap_or(&path);
    let location = assemble::write(target, source, &blobs, borrowed, args.made.lz4_footer)?;
    if silent {
        return Ok(());
    }
    assemble::report(&blobs, out)?;
    if blobs.is_empty() {
        let written = writeln!(out, "{}", assemble::summary(&path, &blobs, location));
        written.map_err(Failure::from).map_err(at(&path))?;
    }
    Ok(())
}

/// Sets a property, in the place of one of the same name.
pub(crate) fn set_property(properties: &mut Properties, name: &str, value: &str) {
    match properties.iter_mut().find(|(other, _)| other == name) {
        Some((_, old)) => value.clone_into(old),
        None => properties.push((name.to_owned(), value.to_owned())),
    }
}

/// A data file, and lists of rows deleted from it.
type Lists = (String, Vec<Vec<u64>>);

/// Names and values, in their order.
pub(crate) type Properties = Vec<(String, String)>;

/// Reads the lists that arguments name, and puts those of one data file together, in the order of the arguments.
fn united(arguments: &[String]) -> Result<Vec<Lists>, Located> {
    let (mut files, mut numbers) = (Vec::<Lists>::new(), HashMap::new());
    for argument in arguments {
        let list = List::of_argument(argument)?;
        let number = *numbers.entry(list.data_file.clone()).or_insert(files.len());
        match files.get_mut(number) {
            Some((_, lists)) => lists.push(list.positions),
            None => files.push((list.data_file, vec![list.positions])),
        }
    }
    Ok(files)
}

/// Encodes the union of lists as the vector of a data file.
fn encode(data_file: &str, lists: &[Vec<u64>], dense: bool) -> Result<Blob<'static>, Located> {
    let encode = || {
        let mut sources = lists.iter().map(|list| Source::positions(list)).collect::<Result<Vec<_>, _>>()?;
        encode_sources(data_file, &mut sources, dense)
    };
    encode().map_err(Failure::from).map_err(at(Path::new(data_file)))
}

/// Encodes a union as the vector of a data file.
pub(crate) fn encode_sources(
    data_file: &str,
    sources: &mut [Source<'_>],
    dense: bool,
) -> puffin_codec::Result<Blob<'static>> {
    let mut encoder = Encoder::new(sources).dense_keys(dense);
    let vector = encoder.encode_to_vec()?;
    let mut scratch = vec![0; puffin_codec::deletion_vector::encode_scratch_len(encoder.source_count())];
    let cardinality = encoder.cardinality(&mut scratch)?;
    Ok(Blob::vector(data_file, vector, cardinality))
}

/// The JSON that describes a file.
struct Description {
    path: PathBuf,
    json: Value,
}

impl Description {
    fn read(path: &Path) -> Result<Self, Located> {
        let text = fs::read(path).map_err(Failure::data).map_err(at(path))?;
        let json = serde_json::from_slice(&text).map_err(Failure::data).map_err(at(path))?;
        Ok(Self { path: path.to_owned(), json })
    }

    fn wrong(&self, what: impl std::fmt::Display) -> Located {
        at(&self.path)(Failure::data(what))
    }

    /// Reads the bytes of every blob. Returns the file's properties, and the blobs.
    fn assemble(&self, dense: bool) -> Result<(Properties, Vec<Blob<'static>>), Located> {
        let properties = match self.json.get("properties") {
            None | Some(Value::Null) => Vec::new(),
            Some(properties) => self.texts("properties", properties)?,
        };
        let blobs = self.json.get("blobs").and_then(Value::as_array).ok_or_else(|| self.wrong("no list \"blobs\""))?;
        let blobs = blobs.iter().enumerate().map(|(number, blob)| self.blob(number, blob, dense));
        Ok((properties, blobs.collect::<Result<_, _>>()?))
    }

    /// Reads an object of strings, in its order.
    fn texts(&self, what: &str, value: &Value) -> Result<Properties, Located> {
        let wrong = || self.wrong(format!("{what} is not an object of strings"));
        let object = value.as_object().ok_or_else(wrong)?;
        let texts = object.iter().map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        texts.collect::<Option<_>>().ok_or_else(wrong)
    }

    fn blob(&self, number: usize, blob: &Value, dense: bool) -> Result<Blob<'static>, Located> {
        let wrong = |what: String| self.wrong(format!("blob {number}: {what}"));
        let blob: &Map<String, Value> = blob.as_object().ok_or_else(|| wrong("not an object".to_owned()))?;
        let text = |name: &str| blob.get(name).and_then(Value::as_str);
        let integer = |name: &str| match blob.get(name) {
            None => Ok(-1),
            Some(value) => value.as_i64().ok_or_else(|| wrong(format!("{name} is not a 64-bit integer"))),
        };
        let blob_type = text("type").ok_or_else(|| wrong("no \"type\"".to_owned()))?;
        let codec = match blob.get("compression-codec") {
            None | Some(Value::Null) => Codec::None,
            Some(name) => match name.as_str() {
                Some("lz4") => Codec::Lz4,
                Some("zstd") => Codec::Zstd,
                _ => return Err(wrong(format!("compression-codec {name} is neither lz4 nor zstd"))),
            },
        };
        let fields = match blob.get("fields") {
            None => Some(Vec::new()),
            Some(fields) => fields.as_array().and_then(|fields| {
                fields.iter().map(|field| i32::try_from(field.as_i64()?).ok()).collect::<Option<Vec<i32>>>()
            }),
        };
        let fields = fields.ok_or_else(|| wrong("fields is not a list of 32-bit integers".to_owned()))?;
        let mut properties = match blob.get("properties") {
            None | Some(Value::Null) => Vec::new(),
            Some(properties) => self.texts(&format!("blob {number}: properties"), properties)?,
        };
        let places = ["stored", "data", "positions"].map(|place| text(place).map(|path| (place, self.beside(path))));
        let mut places = places.into_iter().flatten();
        let (Some((place, path)), None) = (places.next(), places.next()) else {
            return Err(wrong("not one of \"stored\", \"data\" and \"positions\" with a path".to_owned()));
        };
        let stored = if place == "positions" {
            if blob_type != DELETION_VECTOR_V1 {
                return Err(wrong(format!("positions make a {DELETION_VECTOR_V1}, not a {blob_type}")));
            }
            let made = encode("", &[lists::read(&path)?], dense).map_err(|(_, failure)| (path, failure))?;
            // The number of positions is what it is; the rest is as described.
            if let Entry::New(entry) = &made.entry {
                let cardinality = entry.properties.iter().find(|(name, _)| name == property::CARDINALITY);
                cardinality.iter().for_each(|(name, value)| set_property(&mut properties, name, value));
            }
            made.stored
        } else {
            let bytes = fs::read(&path).map_err(Failure::data).map_err(at(&path))?;
            Cow::Owned(if place == "data" {
                compress(codec, bytes).map_err(|error| wrong(error.to_string()))?
            } else {
                bytes
            })
        };
        let entry = NewEntry {
            blob_type: blob_type.to_owned(),
            fields,
            snapshot_id: integer("snapshot-id")?,
            sequence_number: integer("sequence-number")?,
            codec,
            properties,
        };
        Ok(Blob { entry: Entry::New(entry), stored })
    }

    /// A path that counts from the description's folder.
    fn beside(&self, path: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }
}

fn compress(codec: Codec, content: Vec<u8>) -> puffin_codec::Result<Vec<u8>> {
    if codec == Codec::None {
        return Ok(content);
    }
    let mut stored = vec![0; codec.max_encoded_len(content.len())?];
    let len = codec.encode_into(&content, &mut stored)?;
    stored.truncate(len);
    Ok(stored)
}
