//! Bytes as small choices.

/// Takes choices from the front of the bytes, and zeros once they are used up.
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(crate) fn byte(&mut self) -> u8 {
        match self.0 {
            [first, rest @ ..] => {
                self.0 = rest;
                *first
            }
            [] => 0,
        }
    }

    /// A number below `count`, which is above 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        match count {
            0..=256 => usize::from(self.byte()) % count,
            _ => (usize::from(self.byte()) << 8 | usize::from(self.byte())) % count,
        }
    }

    /// One of several, chosen by a digit so that people can read it.
    pub(crate) fn digit(&mut self, count: usize) -> usize {
        usize::from(self.byte().wrapping_sub(b'0')) % count
    }

    pub(crate) fn take(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(count.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Everything up to a line feed, without it, as text.
    pub(crate) fn line(&mut self) -> String {
        let end = self.0.iter().position(|&byte| byte == b'\n');
        let line = self.take(end.unwrap_or(self.0.len()));
        self.byte();
        String::from_utf8_lossy(line).into_owned()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
