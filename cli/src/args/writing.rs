//! The command line of the sub-commands that write files, and of `diff`.

use std::path::PathBuf;

use clap::Args;

use super::Selector;

/// Where the result goes.
#[derive(Debug, Args)]
pub(crate) struct Output {
    /// File to write; - is standard output. It is written beside and renamed once it is complete.
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Overwrites a file that is there already.
    #[arg(long)]
    pub(crate) force: bool,
}

/// A file that is made anew.
#[derive(Debug, Args)]
pub(crate) struct Made {
    #[command(flatten)]
    pub(crate) output: Output,
    /// A property of the file, such as created-by; in the order given. It replaces one of the same name.
    #[arg(long = "property", value_name = "K=V", value_parser = property)]
    pub(crate) properties: Vec<(String, String)>,
    /// Writes an empty bucket for every key below the highest, as Iceberg Java does.
    #[arg(long)]
    pub(crate) dense: bool,
    /// Compresses the footer.
    #[arg(long)]
    pub(crate) lz4_footer: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CreateArgs {
    #[command(flatten)]
    pub(crate) made: Made,
    /// JSON that describes the file: a footer, with where the bytes of each blob come from.
    #[arg(long, value_name = "F.json")]
    pub(crate) description: Option<PathBuf>,
    /// A data file, and the file with the positions of its deleted rows.
    #[arg(value_name = "DATA_FILE=POSITIONS", required_unless_present = "description")]
    pub(crate) vectors: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    #[command(flatten)]
    pub(crate) made: Made,
    /// Puffin files, and position lists as DATA_FILE=POSITIONS.
    #[arg(required = true, value_name = "INPUT")]
    pub(crate) inputs: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The earlier Puffin file.
    #[arg(value_name = "A")]
    pub(crate) earlier: PathBuf,
    /// The later Puffin file.
    #[arg(value_name = "B")]
    pub(crate) later: PathBuf,
    /// Prints numbers instead of positions: deleted, restored and data file.
    #[arg(long)]
    pub(crate) count: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// File that holds the blob.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
    #[command(flatten)]
    pub(crate) selector: Selector,
    /// Writes the bytes as they are stored, without decoding them.
    #[arg(long)]
    pub(crate) stored: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RewriteArgs {
    /// Puffin file to write anew.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) output: Output,
    /// Keeps the vector of this data file, and drops what is not kept.
    #[arg(long = "keep", value_name = "DATA_FILE")]
    pub(crate) keep: Vec<String>,
    /// Keeps the blob at this range, and drops what is not kept.
    #[arg(long = "keep-range", value_name = "OFFSET:LENGTH", value_parser = range)]
    pub(crate) keep_ranges: Vec<(u64, u64)>,
    /// Compresses the footer. Without this and --plain-footer it stays as it was.
    #[arg(long, conflicts_with = "plain_footer")]
    pub(crate) lz4_footer: bool,
    /// Writes the footer uncompressed.
    #[arg(long)]
    pub(crate) plain_footer: bool,
    /// Encodes vectors again, with an empty bucket for every key below the highest.
    #[arg(long, conflicts_with = "sparse")]
    pub(crate) dense: bool,
    /// Encodes vectors again, without empty buckets.
    #[arg(long)]
    pub(crate) sparse: bool,
}

fn property(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("no = between name and value")?;
    Ok((name.to_owned(), value.to_owned()))
}

fn range(text: &str) -> Result<(u64, u64), String> {
    let (offset, length) = text.split_once(':').ok_or("no : between offset and length")?;
    let number = |text: &str| text.parse().map_err(|error| format!("{text:?}: {error}"));
    Ok((number(offset)?, number(length)?))
}
