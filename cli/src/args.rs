//! The command line.

mod writing;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use puffin_codec::Limits;

pub(crate) use writing::{CreateArgs, DiffArgs, ExtractArgs, MergeArgs, Output, RewriteArgs};

/// Looks into, merges and writes Apache Iceberg Puffin files and deletion vectors, straight on their bytes.
#[derive(Debug, Parser)]
#[command(
    name = "puffin",
    version,
    about,
    after_help = "FILE may be - for standard input.\n\
                  Exit status: 0 if all is well, 1 for bad data or a failed read or write, 2 for wrong usage. What is \
                  wrong goes to standard error, one line for each file: puffin: FILE: what, at which byte, and what was \
                  found there.\n\n\
                  Examples:\n  \
                  puffin inspect deletes.puffin\n  \
                  puffin verify warehouse/\n  \
                  puffin positions --data-file s3://bucket/a.parquet deletes.puffin"
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// Most bytes that one compressed blob or footer may decode to.
    #[arg(long, global = true, value_name = "BYTES", default_value_t = Limits::DEFAULT.max_decoded_len)]
    max_decoded: u64,
}

impl Cli {
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.max_decoded_len = self.max_decoded;
        limits
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shows the footer: properties, blobs, sizes and codecs.
    #[command(after_help = "With --json the footer's own object is printed, to the letter, with one member more in \
                            front, \"file\": path, size, place of the footer, and for each blob its \
                            \"decoded-length\" or the \"error\" that keeps its entry or its codec's frame from being \
                            read. If the footer has a member \"file\" itself, ours is \"_file\". Several files give \
                            one object after the other.\n\n\
                            Examples:\n  \
                            puffin inspect deletes.puffin\n  \
                            puffin inspect --json *.puffin | jq -r '.blobs[].properties[\"referenced-data-file\"]'\n  \
                            puffin inspect --as dv delete.bin")]
    Inspect(InspectArgs),
    /// Checks everything there is to check, and lists every finding.
    #[command(
        after_help = "Directories are searched for files named *.puffin or *.stats, or with Puffin's magic; others \
                            in them are passed over.\n\
                            The exit status is 1 if any finding is an error; what keeps a file from being checked any \
                            further is also said on standard error. With --json there is one object a line for each \
                            file.\n\n\
                            Examples:\n  \
                            puffin verify warehouse/ more.puffin\n  \
                            puffin verify --json warehouse/ | jq -c 'select(.ok | not)'\n  \
                            puffin verify --as dv delete.bin"
    )]
    Verify(VerifyArgs),
    /// Prints the positions of a vector, ascending.
    #[command(after_help = "Examples:\n  \
                            puffin positions deletes.puffin\n  \
                            puffin positions --data-file s3://bucket/a.parquet deletes.puffin\n  \
                            puffin positions --raw --offset 4 --length 44 deletes.puffin | sha256sum")]
    Positions(PositionsArgs),
    /// Tells for each position whether a vector holds it: the position, a tab, and true or false.
    #[command(after_help = "The exit status is 0 whatever the answers are.\n\n\
                            Examples:\n  \
                            puffin contains deletes.puffin 0 17 4294967296\n  \
                            puffin contains --blob 2 deletes.puffin 17")]
    Contains(ContainsArgs),
    /// Shows how each vector is made up: cardinality, containers, bytes, and where its positions lie.
    #[command(
        after_help = "The density strip has 64 cells for 64 equal parts of the rows from 0 to the highest position: \
                            blank where no row is deleted, a full block where all are. With --json, \"density\" holds \
                            the number of positions in each part. Several files give one object after the other.\n\n\
                            Examples:\n  \
                            puffin stats deletes.puffin\n  \
                            puffin stats --json --blob 0 deletes.puffin"
    )]
    Stats(StatsArgs),
    /// Writes a Puffin file of deletion vectors, or any other that is described.
    #[command(
        after_help = "POSITIONS is a file of decimal numbers, one a line, in any order; if its name ends in .u64, \
                            of 8-byte little-endian ones; - is standard input, lines again. DATA_FILE=POSITIONS is \
                            split at the last = with a file behind it. Lists for one data file are united. What a \
                            manifest says of each vector is printed: content_offset, content_size_in_bytes, \
                            record_count and the data file.\n\n\
                            --description takes the JSON of a footer, with one member more in each blob, a path that \
                            counts from the description's folder: \"stored\", the bytes as they are stored; \"data\", \
                            the decoded bytes, compressed as compression-codec says; \"positions\", as above, for a \
                            deletion-vector-v1. offset and length are ignored.\n\n\
                            Examples:\n  \
                            puffin create -o deletes.puffin s3://bucket/a.parquet=a.txt s3://bucket/b.parquet=b.u64\n  \
                            seq 0 9 | puffin create -o deletes.puffin --property created-by=me a.parquet=-\n  \
                            puffin create -o copy.stats --description footer.json"
    )]
    Create(CreateArgs),
    /// Unites Puffin files and position lists: one vector for each data file.
    #[command(after_help = "Blobs of other types are carried over, each once; the file's properties are those of the \
                            first Puffin file.\n\n\
                            Examples:\n  \
                            puffin merge old.puffin new.puffin -o both.puffin\n  \
                            puffin merge old.puffin s3://bucket/a.parquet=new.txt -o both.puffin")]
    Merge(MergeArgs),
    /// Shows which rows were deleted from one Puffin file to another, and which came back.
    #[command(
        after_help = "Prints a line for each row: deleted or restored, the position, and the data file, with tabs \
                            in between. A data file that only one file has a vector for has none deleted in the \
                            other. The exit status is 0 whatever the differences are.\n\n\
                            Examples:\n  \
                            puffin diff old.puffin new.puffin\n  \
                            puffin diff --count old.puffin new.puffin"
    )]
    Diff(DiffArgs),
    /// Writes one blob to a file.
    #[command(after_help = "Examples:\n  \
                            puffin extract --blob 0 -o sketch.theta table.stats\n  \
                            puffin extract --stored --data-file s3://bucket/a.parquet -o a.dv deletes.puffin")]
    Extract(ExtractArgs),
    /// Writes a Puffin file anew: without stale blobs, with another footer, with other keys.
    #[command(after_help = "Without --keep and --keep-range every blob is kept. Blobs are copied as they are stored, \
                            unless --dense or --sparse encode vectors again.\n\n\
                            Examples:\n  \
                            puffin rewrite --keep s3://bucket/a.parquet -o small.puffin deletes.puffin\n  \
                            puffin rewrite --keep-range 4:44 --lz4-footer -o small.puffin deletes.puffin")]
    Rewrite(RewriteArgs),
}

/// What a file is, where it is not a Puffin file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// A Puffin file.
    Puffin,
    /// One bare deletion-vector-v1 blob.
    Dv,
    /// A 32-bit Roaring bitmap in the portable format.
    Roaring32,
    /// A 64-bit Roaring bitmap in the portable format.
    Roaring64,
}

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    /// Files to show.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Prints JSON, in the specification's own field names.
    #[arg(long)]
    pub(crate) json: bool,
    /// Takes the file as what it is said to be, and looks no further.
    #[arg(long = "as", value_name = "KIND")]
    pub(crate) kind: Option<Kind>,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Files and directories to check.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Prints one JSON object a line for each file.
    #[arg(long)]
    pub(crate) json: bool,
    /// Takes every file as what it is said to be.
    #[arg(long = "as", value_name = "KIND")]
    pub(crate) kind: Option<Kind>,
}

/// Which vector of a file is meant.
#[derive(Debug, Args)]
pub(crate) struct Selector {
    /// The vector of this data file.
    #[arg(long, value_name = "PATH", conflicts_with_all = ["blob", "offset"])]
    pub(crate) data_file: Option<String>,
    /// The blob with this number, counted from 0 in footer order.
    #[arg(long, value_name = "N", conflicts_with = "offset")]
    pub(crate) blob: Option<usize>,
    /// A bare range of the file, as a manifest has it; the container is not looked at.
    #[arg(long, value_name = "N", requires = "length", allow_hyphen_values = true)]
    pub(crate) offset: Option<i64>,
    /// Length of the bare range.
    #[arg(long, value_name = "N", requires = "offset", allow_hyphen_values = true)]
    pub(crate) length: Option<i64>,
    /// Takes the file, or the bare range, as what it is said to be, and looks no further.
    #[arg(long = "as", value_name = "KIND")]
    pub(crate) kind: Option<Kind>,
}

#[derive(Debug, Args)]
pub(crate) struct PositionsArgs {
    /// File that holds the vector.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) selector: Selector,
    /// Writes each position as 8 bytes, little-endian, instead of a line of text.
    #[arg(long)]
    pub(crate) raw: bool,
    /// Stops after so many positions.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct ContainsArgs {
    /// File that holds the vector.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Positions to look for.
    #[arg(required = true, value_name = "POS")]
    pub(crate) positions: Vec<u64>,
    #[command(flatten)]
    pub(crate) selector: Selector,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Files whose vectors to show; all of them, unless one is selected.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) selector: Selector,
    /// Prints JSON.
    #[arg(long)]
    pub(crate) json: bool,
}
