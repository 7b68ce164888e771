//! The questions.

/// One question, asked of every set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Row {
    /// From blob bytes to the first answer, with CRC and content verified (peers: with the CRC).
    Open,
    /// From bitmap bytes to the first answer, with the content verified and no CRC.
    Content,
    /// From blob bytes to the first answer where the bytes are known to be good (peers: deserialized without a check).
    Trusted,
    /// The same beside CRoaring's views of serialized bytes.
    TrustedView,
    /// Single `contains` calls at random positions.
    Contains,
    /// Many probes in one call, in random order.
    ContainsMany,
    /// Many probes in one call, ascending.
    ContainsSorted,
    /// All positions through `Iterator::next`.
    Next,
    /// All positions through internal iteration.
    Fold,
    /// Deleted masks of 2,048-row batches, front to back; peers iterate.
    Masks,
    /// The same masks; peers read values or ranges in bulk and a hand-written loop sets the bits.
    MasksBulk,
    /// The same masks; the peer expands the whole bitmap into a flat bitset first.
    MasksFlat,
    /// All positions as `u64` in batches of 4,096.
    Positions,
    /// Live selection vectors of 2,048-row batches, front to back: `u32` offsets from the first row of the batch.
    LiveOffsets,
    /// Live masks of 2,048-row batches as bytes, lowest bit first.
    MaskBytes,
    /// Live row ranges of windows of 100,000 rows, front to back.
    Ranges,
    /// Deleted rows of each window of 100,000 rows.
    Counts,
    /// From ascending positions to the bytes of a bitmap (peers: with run-optimise).
    Encode,
    /// From the bytes of two bitmaps, content verified, to the bytes of their union (peers: deserialized, with
    /// run-optimise).
    Union,
    /// What no reader can beat: reading or copying the bytes once.
    Bounds,
}

impl Row {
    /// Every row, in the order of the report.
    pub const ALL: [Self; 20] = [
        Self::Open,
        Self::Content,
        Self::Trusted,
        Self::TrustedView,
        Self::Contains,
        Self::ContainsMany,
        Self::ContainsSorted,
        Self::Next,
        Self::Fold,
        Self::Masks,
        Self::MasksBulk,
        Self::MasksFlat,
        Self::Positions,
        Self::LiveOffsets,
        Self::MaskBytes,
        Self::Ranges,
        Self::Counts,
        Self::Encode,
        Self::Union,
        Self::Bounds,
    ];

    /// Name for the command line and for JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Content => "content",
            Self::Trusted => "trusted",
            Self::TrustedView => "trusted-view",
            Self::Contains => "contains",
            Self::ContainsMany => "contains-many",
            Self::ContainsSorted => "contains-sorted",
            Self::Next => "next",
            Self::Fold => "fold",
            Self::Masks => "masks",
            Self::MasksBulk => "masks-bulk",
            Self::MasksFlat => "masks-flat",
            Self::Positions => "positions",
            Self::LiveOffsets => "live-offsets",
            Self::MaskBytes => "mask-bytes",
            Self::Ranges => "ranges",
            Self::Counts => "counts",
            Self::Encode => "encode",
            Self::Union => "union",
            Self::Bounds => "bounds",
        }
    }

    /// Heading for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Open => "open, fully verified, first answer",
            Self::Content => "content verified, first answer",
            Self::Trusted => "open trusted, first answer",
            Self::TrustedView => "open trusted, beside CRoaring's views",
            Self::Contains => "random contains",
            Self::ContainsMany => "contains_many, random order",
            Self::ContainsSorted => "contains_many, ascending",
            Self::Next => "iterate with next()",
            Self::Fold => "iterate with fold()",
            Self::Masks => "masks of 2,048 rows, beside iterating",
            Self::MasksBulk => "masks of 2,048 rows, beside bulk read + hand loop",
            Self::MasksFlat => "masks of 2,048 rows, beside a flat bitset",
            Self::Positions => "positions out, u64 x 4,096",
            Self::LiveOffsets => "offsets of live rows, u32, batches of 2,048 rows",
            Self::MaskBytes => "live masks of 2,048 rows as bytes",
            Self::Ranges => "ranges of live rows, windows of 100,000 rows",
            Self::Counts => "deleted rows of windows of 100,000 rows",
            Self::Encode => "encode ascending positions",
            Self::Union => "union of two, inputs verified, encoded",
            Self::Bounds => "bounds",
        }
    }

    /// What one unit of work is.
    #[must_use]
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Open | Self::Content | Self::Trusted | Self::TrustedView | Self::Union | Self::Bounds => "vector",
            Self::Contains | Self::ContainsMany | Self::ContainsSorted => "probe",
            Self::Next | Self::Fold | Self::Positions | Self::Encode => "position",
            Self::Masks | Self::MasksBulk | Self::MasksFlat | Self::LiveOffsets | Self::MaskBytes => "row",
            Self::Ranges | Self::Counts => "window",
        }
    }
}
