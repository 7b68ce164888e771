//! `puffin merge`: one vector for each data file, out of any number of files and lists.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::path::Path;

use puffin_codec::Limits;
use puffin_codec::deletion_vector::{DeletionVector, Source};
use puffin_codec::puffin::BlobMetadata;

use crate::args::MergeArgs;
use crate::assemble::{self, Blob, Entry};
use crate::create::{encode_sources, set_property};
use crate::lists::{List, split};
use crate::opened::Opened;
use crate::output::{Failure, Located, Out, at};
use crate::target::Target;

/// What is deleted from one data file, by one input.
enum Part<'a> {
    Vector(DeletionVector<'a>),
    List(&'a [u64]),
}

pub(crate) fn run(args: &MergeArgs, limits: &Limits, out: &mut Out) -> Result<(), Located> {
    let target = Target::create(&args.made.output)?;
    let (mut opened, mut lists) = (Vec::new(), Vec::new());
    for input in &args.inputs {
        // A file by this name is a Puffin file; else it is a list with its data file in front.
        if Path::new(input).is_file() || split(input).is_none() {
            opened.push(Opened::open(Path::new(input), limits)?);
        } else {
            lists.push(List::of_argument(input)?);
        }
    }
    let contents = opened.iter_mut().map(|opened| opened.contents(limits)).collect::<Result<Vec<_>, _>>()?;
    let mut properties = Vec::new();
    if let Some(first) = contents.first() {
        properties.extend(first.metadata.properties().map(|(name, value)| (name.to_string(), value.to_string())));
    }
    for (name, value) in &args.made.properties {
        set_property(&mut properties, name, value);
    }

    let mut parts = Vec::<(String, Vec<Part<'_>>)>::new();
    let mut numbers = HashMap::new();
    let mut add = |data_file: &str, part| {
        let number = *numbers.entry(data_file.to_owned()).or_insert_with(|| {
            parts.push((data_file.to_owned(), Vec::new()));
            parts.len() - 1
        });
        if let Some((_, parts)) = parts.get_mut(number) {
            parts.push(part);
        }
    };
    let mut others = Vec::new();
    for content in &contents {
        let (vectors, rest) = content.vectors()?;
        vectors.into_iter().for_each(|(data_file, vector)| add(&data_file, Part::Vector(vector)));
        for blob in rest {
            others.push((blob, content.stored(&blob)?));
        }
    }
    lists.iter().for_each(|list| add(&list.data_file, Part::List(&list.positions)));

    let mut blobs = Vec::new();
    for (data_file, parts) in &parts {
        let encode = || {
            let sources = parts.iter().map(|part| match part {
                Part::Vector(vector) => Source::vector(vector),
                Part::List(list) => Source::positions(list),
            });
            encode_sources(data_file, &mut sources.collect::<Result<Vec<_>, _>>()?, args.made.dense)
        };
        blobs.push(encode().map_err(Failure::from).map_err(at(Path::new(data_file)))?);
    }
    let mut seen = HashSet::new();
    others.retain(|(blob, stored)| seen.insert((said(blob), *stored)));
    blobs.extend(
        others.into_iter().map(|(blob, stored)| Blob { entry: Entry::Copy(blob), stored: Cow::Borrowed(stored) }),
    );

    let source = contents.first().map_or(args.made.output.output.as_path(), |first| first.path.as_path());
    let silent = target.is_stdout();
    assemble::write(
        target,
        source,
        &blobs,
        properties.iter().map(|(name, value)| (name, value)),
        args.made.lz4_footer,
    )?;
    if silent { Ok(()) } else { assemble::report(&blobs, out) }
}

/// What an entry says of its blob, wherever that is.
fn said(blob: &BlobMetadata<'_>) -> impl Eq + Hash + use<> {
    let properties = blob.properties().map(|(name, value)| (name.to_string(), value.to_string()));
    (
        blob.blob_type().to_string(),
        blob.fields().collect::<Vec<i32>>(),
        (blob.snapshot_id(), blob.sequence_number()),
        blob.compression_codec().map(|codec| codec.to_string()),
        properties.collect::<Vec<_>>(),
    )
}
