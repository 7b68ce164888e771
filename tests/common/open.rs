//! Opens a Puffin file in every way and sees that the ways agree.

use puffin_codec::puffin::{FileMetadata, FooterLocation, JsonStr, PuffinFile, Tail};
use puffin_codec::{Error, Limits};

use super::facts::same;

/// Memory for the footer of one file.
#[derive(Default)]
pub(crate) struct Scratch(Vec<u8>);

impl Scratch {
    /// Opens a file down to its metadata.
    pub(crate) fn open<'s, 'a: 's>(&'s mut self, bytes: &'a [u8]) -> Result<(PuffinFile<'a>, FileMetadata<'s>), Error> {
        let file = PuffinFile::parse(bytes)?;
        self.0.resize(file.scratch_len(&Limits::default())?, 0);
        Ok((file, file.metadata(&mut self.0)?))
    }
}

/// The text of a JSON string, taken in each way there is.
pub(crate) fn text(string: JsonStr<'_>) -> Result<String, String> {
    let text: String = string.chars().collect();
    let mut memory = vec![0; string.unescaped_len()];
    let copied = string.unescape_into(&mut memory).map_err(|error| error.to_string())?;
    same("unescaped", copied, text.as_str())?;
    same("displayed", string.to_string(), text.clone())?;
    same("equal to its text", string == text.as_str(), true)?;
    same("borrowed", string.as_str(), (!string.raw().contains('\\')).then_some(text.as_str()))?;
    Ok(text)
}

/// Finds the footer from tails of several lengths, and the blobs by number, and compares.
pub(crate) fn check_ways_to_open(bytes: &[u8], metadata: &FileMetadata<'_>) -> Result<(), String> {
    let len = bytes.len() as u64;
    let footer = PuffinFile::parse(bytes).map_err(|error| error.to_string())?.footer();
    let location = footer.location();
    for tail_len in [12, 13, 64, 4096, bytes.len()] {
        let mut tail = &bytes[bytes.len().saturating_sub(tail_len)..];
        let mut view = None;
        for _ in 0..2 {
            match FooterLocation::from_tail(tail, len).map_err(|error| error.to_string())? {
                Tail::Footer(found) => view = Some(found),
                Tail::Fetch(range) => {
                    let ends = [range.start, range.end].map(|end| usize::try_from(end).unwrap());
                    tail = bytes.get(ends[0]..ends[1]).ok_or("the range to fetch is outside the file")?;
                }
            }
        }
        let view = view.ok_or("the range to fetch does not hold the footer")?;
        same("footer from a tail", view.payload(), footer.payload())?;
        same("offset of the footer", view.location().offset(), location.offset())?;
        same("length of the footer", view.location().len(), u64::from(location.payload_len()) + 16)?;
    }
    let listed: Vec<_> = metadata.blobs().collect();
    same("blob count", (metadata.blob_count(), metadata.blobs().len()), (listed.len(), listed.len()))?;
    for (number, blob) in listed.iter().enumerate() {
        let found = metadata.blob(number).ok_or("a blob is not found by its number")?;
        let place = |blob: &Result<puffin_codec::puffin::BlobMetadata<'_>, Error>| {
            blob.as_ref().map(|blob| (blob.index(), blob.json().to_owned(), blob.range())).map_err(|error| *error)
        };
        same("blob by its number", place(&found), place(blob))?;
    }
    same("blob past the end", metadata.blob(listed.len()).is_none(), true)
}
