//! `puffin extract`: one blob as a file of its own.

use std::io::Write;

use puffin_codec::Limits;
use puffin_codec::table;

use crate::args::ExtractArgs;
use crate::input::Input;
use crate::opened::Opened;
use crate::output::{Failure, Located, Out, at, printable};
use crate::target::Target;

pub(crate) fn run(args: &ExtractArgs, limits: &Limits, _: &mut Out) -> Result<(), Located> {
    let mut target = Target::create(&args.output)?;
    let bytes = if args.selector.offset.is_some() { range(args)? } else { blob(args, limits)? };
    target.write_all(&bytes).map_err(|error| target.failed(error))?;
    target.commit()
}

/// Reads a bare range, in whatever file it is.
fn range(args: &ExtractArgs) -> Result<Vec<u8>, Located> {
    let fail = at(&args.file);
    if args.selector.kind.is_some() {
        return Err(fail(Failure::Usage("--as is not for extract: bytes are written as they are".to_owned())));
    }
    let input = Input::open(&args.file).map_err(Failure::data).map_err(&fail)?;
    let (offset, length) = (args.selector.offset.unwrap_or_default(), args.selector.length.unwrap_or_default());
    let start = usize::try_from(offset).ok();
    let end = start.zip(usize::try_from(length).ok()).and_then(|(start, length)| start.checked_add(length));
    let part = start.zip(end).and_then(|(start, end)| input.get(start..end));
    let outside = || Failure::Data(format!("range {offset} + {length} outside the file of {} bytes", input.len()));
    Ok(part.ok_or_else(|| fail(outside()))?.to_vec())
}

/// Reads the blob that is meant.
fn blob(args: &ExtractArgs, limits: &Limits) -> Result<Vec<u8>, Located> {
    let fail = at(&args.file);
    if args.selector.kind.is_some() {
        return Err(fail(Failure::Usage("--as is not for extract: the file has to be Puffin".to_owned())));
    }
    let mut opened = Opened::open(&args.file, limits)?;
    let contents = opened.contents(limits)?;
    let metadata = &contents.metadata;
    let found = if let Some(data_file) = &args.selector.data_file {
        let found = table::find_vector(metadata, data_file).map_err(Failure::from).map_err(&fail)?;
        found.ok_or_else(|| Failure::Data(format!("no deletion vector for data file {}", printable(data_file))))
    } else {
        let count = metadata.blob_count();
        let number = match args.selector.blob {
            None if count != 1 => {
                let what = format!("{count} blobs, choose one with --blob, --data-file or --offset and --length");
                return Err(fail(if count == 0 { Failure::data("no blobs") } else { Failure::Usage(what) }));
            }
            number => number.unwrap_or(0),
        };
        match metadata.blob(number) {
            None => Err(Failure::Data(format!("no blob {number}: the file has {count}"))),
            Some(blob) => blob.map_err(Failure::of_blob(number)),
        }
    };
    let found = found.map_err(&fail)?;
    let decode = || {
        let blob = contents.file.blob(&found)?;
        if args.stored {
            return Ok(blob.stored().to_vec());
        }
        let mut out = vec![0; blob.decoded_len(limits)?];
        let len = blob.decode_into(&mut out, limits)?.len();
        out.truncate(len);
        Ok(out)
    };
    decode().map_err(Failure::of_blob(found.index())).map_err(&fail)
}
