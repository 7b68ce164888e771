//! The payload of one blob, as stored and decoded.

use super::json::JsonStr;
use crate::{
    compression::{lz4, zstd},
    error::{Error, ErrorKind, Result},
    limits::Limits,
};

/// How the bytes of a blob are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// Not at all: `compression-codec` is absent or null.
    None,
    /// `lz4`: one LZ4 frame with its content size.
    Lz4,
    /// `zstd`: one Zstandard frame with its content size. Decoding needs the feature `zstd`.
    Zstd,
    /// Any other name, the empty one, `none` and other letter case included. Such a blob can be listed, not decoded.
    Unknown,
}

impl Codec {
    /// Returns the name that `compression-codec` has, or `None` where there is none to write.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::None | Self::Unknown => None,
            Self::Lz4 => Some("lz4"),
            Self::Zstd => Some("zstd"),
        }
    }

    /// Returns how much memory [`encode_into`](Self::encode_into) may need for `len` bytes of content.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownCodec`]; [`ErrorKind::CodecNotBuilt`] for zstd without the feature `zstd`.
    pub const fn max_encoded_len(self, len: usize) -> Result<usize> {
        match self {
            Self::None => Ok(len),
            Self::Lz4 => Ok(lz4::max_encoded_len(len)),
            #[cfg(feature = "zstd")]
            Self::Zstd => Ok(zstd::max_encoded_len(len)),
            #[cfg(not(feature = "zstd"))]
            Self::Zstd => Err(Error::new(ErrorKind::CodecNotBuilt, 0, 0)),
            Self::Unknown => Err(Error::new(ErrorKind::UnknownCodec, 0, 0)),
        }
    }

    /// Writes `content`, as this codec stores it, to the front of `dst`, and returns the stored length.
    ///
    /// O(content). Bytes behind the stored ones, up to [`max_encoded_len`](Self::max_encoded_len), are unspecified
    /// afterwards.
    ///
    /// # Errors
    ///
    /// Those of [`max_encoded_len`](Self::max_encoded_len); [`ErrorKind::BufferTooSmall`], with a size that is enough,
    /// and then `dst` is untouched.
    ///
    /// # Examples
    ///
    /// ```
    /// use puffin_codec::puffin::Codec;
    ///
    /// let mut stored = [0; 1200];
    /// let len = Codec::Lz4.encode_into(&[b'a'; 1000], &mut stored)?;
    /// assert!(len < 50 && Codec::Lz4.max_encoded_len(1000)? <= 1200);
    /// assert_eq!(Codec::None.encode_into(b"abc", &mut stored)?, 3);
    /// # Ok::<(), puffin_codec::Error>(())
    /// ```
    pub fn encode_into(self, content: &[u8], dst: &mut [u8]) -> Result<usize> {
        match self {
            Self::None => {
                let need = content.len();
                let dst = dst.get_mut(..need).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, need as u64))?;
                dst.copy_from_slice(content);
                Ok(need)
            }
            Self::Lz4 => lz4::encode_into(content, dst),
            #[cfg(feature = "zstd")]
            Self::Zstd => zstd::encode_into(content, dst),
            #[cfg(not(feature = "zstd"))]
            Self::Zstd => Err(Error::new(ErrorKind::CodecNotBuilt, 0, 0)),
            Self::Unknown => Err(Error::new(ErrorKind::UnknownCodec, 0, 0)),
        }
    }

    /// Returns the codec that `compression-codec` names.
    pub(super) fn from_name(name: Option<JsonStr<'_>>) -> Self {
        match name {
            None => Self::None,
            Some(name) if name == "lz4" => Self::Lz4,
            Some(name) if name == "zstd" => Self::Zstd,
            Some(_) => Self::Unknown,
        }
    }
}

/// The bytes of one blob as the file holds them, and how to decode them.
///
/// Made by [`PuffinFile::blob`](super::PuffinFile::blob) from a whole file and by
/// [`BlobMetadata::blob`](super::BlobMetadata::blob) from a fetched range. Nothing has been looked at yet. Offsets in
/// the errors of its methods count from the first stored byte.
///
/// # Examples
///
/// ```
/// use puffin_codec::{Limits, puffin::PuffinFile};
///
/// const JSON: &str =
///     r#"{"blobs":[{"type":"t","fields":[],"snapshot-id":1,"sequence-number":1,"offset":4,"length":3}]}"#;
/// let mut bytes = b"PFA1abcPFA1".to_vec();
/// bytes.extend(JSON.as_bytes());
/// bytes.extend(u32::try_from(JSON.len()).unwrap().to_le_bytes());
/// bytes.extend(b"\0\0\0\0PFA1");
///
/// let file = PuffinFile::parse(&bytes)?;
/// let blob = file.blob(&file.metadata(&mut [])?.blob(0).unwrap()?)?;
/// let limits = Limits::default();
/// let mut buffer = [0; 16];
/// assert_eq!(blob.decoded_len(&limits)?, 3);
/// assert_eq!(blob.decode_into(&mut buffer, &limits)?, b"abc");
/// assert_eq!(blob.bytes()?, b"abc");
/// # Ok::<(), puffin_codec::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Blob<'a> {
    stored: &'a [u8],
    codec: Codec,
}

impl<'a> Blob<'a> {
    pub(super) const fn new(stored: &'a [u8], codec: Codec) -> Self {
        Self { stored, codec }
    }

    /// Returns the bytes as stored, compressed if there is a codec.
    #[must_use]
    pub const fn stored(&self) -> &'a [u8] {
        self.stored
    }

    /// Returns how the stored bytes are compressed.
    #[must_use]
    pub const fn codec(&self) -> Codec {
        self.codec
    }

    /// Returns the content where it lies, for a blob that is not compressed.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownCodec`] for an unknown codec, [`ErrorKind::InvalidArgument`] for a known one: the content
    /// then has to be decoded.
    pub const fn bytes(&self) -> Result<&'a [u8]> {
        match self.codec {
            Codec::None => Ok(self.stored),
            Codec::Lz4 | Codec::Zstd => Err(Error::new(ErrorKind::InvalidArgument, 0, 0)),
            Codec::Unknown => Err(Error::new(ErrorKind::UnknownCodec, 0, 0)),
        }
    }

    /// Returns how many bytes [`decode_into`](Self::decode_into) writes, from the frame's header alone.
    ///
    /// O(1). The size a frame declares is held against its stored size and [`Limits::max_decoded_len`] first, so it
    /// is safe to allocate.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::UnknownCodec`]; [`ErrorKind::DecodedLenExceeded`]; and what is wrong with the header of the frame.
    pub fn decoded_len(&self, limits: &Limits) -> Result<usize> {
        match self.codec {
            Codec::None => Ok(self.stored.len()),
            Codec::Lz4 => lz4::decoded_len(self.stored, limits),
            Codec::Zstd => zstd::decoded_len(self.stored, limits),
            Codec::Unknown => Err(Error::new(ErrorKind::UnknownCodec, 0, 0)),
        }
    }

    /// Writes the content to the front of `dst` and returns it; copies it if the blob is not compressed.
    ///
    /// O(content).
    ///
    /// # Errors
    ///
    /// [`ErrorKind::BufferTooSmall`], with the size needed; [`ErrorKind::UnknownCodec`];
    /// [`ErrorKind::CodecNotBuilt`] for zstd without the feature `zstd`; and whatever is wrong with the frame.
    pub fn decode_into<'d>(&self, dst: &'d mut [u8], limits: &Limits) -> Result<&'d [u8]> {
        match self.codec {
            Codec::None => {
                let need = self.stored.len();
                let dst = dst.get_mut(..need).ok_or(Error::new(ErrorKind::BufferTooSmall, 0, need as u64))?;
                dst.copy_from_slice(self.stored);
                Ok(dst)
            }
            Codec::Lz4 => lz4::decode_into(self.stored, dst, limits),
            #[cfg(feature = "zstd")]
            Codec::Zstd => zstd::decode_into(self.stored, dst, limits),
            #[cfg(not(feature = "zstd"))]
            Codec::Zstd => Err(Error::new(ErrorKind::CodecNotBuilt, 0, 0)),
            Codec::Unknown => Err(Error::new(ErrorKind::UnknownCodec, 0, 0)),
        }
    }
}
