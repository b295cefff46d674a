//! Sizes of memory on the command line.

use std::str::FromStr;

use bytesize::ByteSize;

/// A number of bytes, written `512MiB`, `4GiB` or plain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemorySize(ByteSize);

impl MemorySize {
    /// The size; more than the machine can address means all of it.
    pub(crate) fn bytes(self) -> usize {
        usize::try_from(self.0.as_u64()).unwrap_or(usize::MAX)
    }
}

impl FromStr for MemorySize {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<MemorySize, Self::Err> {
        match text.parse::<ByteSize>() {
            Ok(size) if size.as_u64() > 0 => Ok(MemorySize(size)),
            _ => Err("a size is a number of bytes above 0, such as 512MiB or 4GiB"),
        }
    }
}
