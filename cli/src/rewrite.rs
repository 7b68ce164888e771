//! `puffin rewrite`: the same file without stale blobs, with another footer, or with other keys.

use std::borrow::Cow;
use std::collections::HashSet;
use std::io::Write;

use puffin_codec::deletion_vector::{Encoder, Source};
use puffin_codec::puffin::{BlobMetadata, DELETION_VECTOR_V1, property};
use puffin_codec::{Limits, table};

use crate::args::RewriteArgs;
use crate::assemble::{self, Blob, Entry};
use crate::opened::{Contents, Opened};
use crate::output::{Failure, Located, Out, at, printable};
use crate::target::Target;

pub(crate) fn run(args: &RewriteArgs, limits: &Limits, out: &mut Out) -> Result<(), Located> {
    let target = Target::create(&args.output)?;
    let mut opened = Opened::open(&args.file, limits)?;
    let contents = opened.contents(limits)?;
    let all = contents.blobs()?;
    let count = all.len();
    let kept = keep(args, all)?;
    let dropped = count - kept.len();
    let blobs = kept.into_iter().map(|blob| copy(args, &contents, blob)).collect::<Result<Vec<_>, _>>()?;
    let lz4_footer = args.lz4_footer || !args.plain_footer && contents.file.footer().location().is_compressed();
    let (path, silent) = (target.path().to_owned(), target.is_stdout());
    let location = assemble::write(target, &args.file, &blobs, contents.metadata.properties(), lz4_footer)?;
    if silent {
        return Ok(());
    }
    let written = writeln!(out, "{}; {dropped} dropped", assemble::summary(&path, &blobs, location));
    written.map_err(Failure::from).map_err(at(&path))
}

/// Picks the blobs that stay. Whatever is asked for has to be there.
fn keep<'a>(args: &RewriteArgs, mut blobs: Vec<BlobMetadata<'a>>) -> Result<Vec<BlobMetadata<'a>>, Located> {
    if args.keep.is_empty() && args.keep_ranges.is_empty() {
        return Ok(blobs);
    }
    let (mut data_files, mut ranges) = (HashSet::new(), HashSet::new());
    blobs.retain(|blob| {
        let range = (blob.offset(), blob.length());
        let data_file = blob.property(property::REFERENCED_DATA_FILE).map(|path| path.to_string());
        let data_file = data_file.filter(|path| blob.blob_type() == *DELETION_VECTOR_V1 && args.keep.contains(path));
        let by_range = args.keep_ranges.contains(&range);
        if by_range {
            ranges.insert(range);
        }
        let by_name = data_file.is_some();
        data_files.extend(data_file);
        by_range || by_name
    });
    let fail = |what: String| at(&args.file)(Failure::Data(what));
    if let Some(missing) = args.keep.iter().find(|path| !data_files.contains(*path)) {
        return Err(fail(format!("no deletion vector for data file {}", printable(missing))));
    }
    if let Some((offset, length)) = args.keep_ranges.iter().find(|range| !ranges.contains(*range)) {
        return Err(fail(format!("no blob at {offset} of length {length}")));
    }
    Ok(blobs)
}

/// Takes a blob over, encoded again if that is asked for.
fn copy<'a>(args: &RewriteArgs, contents: &Contents<'a>, blob: BlobMetadata<'a>) -> Result<Blob<'a>, Located> {
    let stored = if (args.dense || args.sparse) && blob.blob_type() == *DELETION_VECTOR_V1 {
        let encode = || {
            let vector = table::read_vector(&contents.file, &blob)?;
            Encoder::new(&mut [Source::vector(&vector)?]).dense_keys(args.dense).encode_to_vec()
        };
        Cow::Owned(encode().map_err(Failure::of_blob(blob.index())).map_err(at(&contents.path))?)
    } else {
        Cow::Borrowed(contents.stored(&blob)?)
    };
    Ok(Blob { entry: Entry::Copy(blob), stored })
}
