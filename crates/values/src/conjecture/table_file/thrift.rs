//! Thrift's compact protocol, as far as Parquet uses it: structures become trees.
//!
//! Every value takes at least a byte, so a tree is never much larger than its bytes, whatever
//! lengths they claim.

/// A value.
#[derive(Debug)]
pub(super) enum Thing<'a> {
    Bool(bool),
    Int(i64),
    Bytes(&'a [u8]),
    List(Vec<Thing<'a>>),
    Struct(Vec<(i16, Thing<'a>)>),
    /// A kind that Parquet's own fields do not use.
    Other,
}

/// The deepest nesting of structures. Parquet has five or six levels.
const DEEPEST: usize = 16;

/// Reads from the front of bytes.
pub(super) struct Reader<'a> {
    pub(super) rest: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(bytes)
    }

    /// Seven bits in each byte, the lowest first.
    pub(super) fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return None;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn zigzag(&mut self) -> Option<i64> {
        let value = self.varint()?;
        Some((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A structure.
    pub(super) fn structure(&mut self) -> Option<Thing<'a>> {
        self.structure_at(0)
    }

    fn structure_at(&mut self, depth: usize) -> Option<Thing<'a>> {
        if depth == DEEPEST {
            return None;
        }
        let mut fields = Vec::new();
        let mut last = 0_i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(Thing::Struct(fields));
            }
            let id = match head >> 4 {
                0 => i16::try_from(self.zigzag()?).ok()?,
                step => last.checked_add(i16::from(step))?,
            };
            last = id;
            let thing = match head & 15 {
                1 => Thing::Bool(true),
                2 => Thing::Bool(false),
                kind => self.value(kind, depth)?,
            };
            fields.push((id, thing));
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Option<Thing<'a>> {
        Some(match kind {
            // Booleans have a byte of their own only in lists.
            1 | 2 => Thing::Bool(self.byte()? == 1),
            3 => Thing::Int(i64::from(self.byte()? as i8)),
            4..=6 => Thing::Int(self.zigzag()?),
            7 => {
                self.bytes(8)?;
                Thing::Other
            }
            8 => {
                let length = usize::try_from(self.varint()?).ok()?;
                Thing::Bytes(self.bytes(length)?)
            }
            9 | 10 => {
                let head = self.byte()?;
                let length = match head >> 4 {
                    15 => self.varint()?,
                    short => u64::from(short),
                };
                let mut things = Vec::new();
                for _ in 0..length {
                    things.push(self.value(head & 15, depth + 1)?);
                }
                Thing::List(things)
            }
            12 => self.structure_at(depth + 1)?,
            _ => return None,
        })
    }
}

impl<'a> Thing<'a> {
    /// A field of a structure.
    pub(super) fn field(&self, id: i16) -> Option<&Thing<'a>> {
        match self {
            Thing::Struct(fields) => {
                fields.iter().find(|field| field.0 == id).map(|(_, thing)| thing)
            }
            _ => None,
        }
    }

    /// A field that is an integer.
    pub(super) fn int(&self, id: i16) -> Option<i64> {
        match self.field(id)? {
            Thing::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// A field that is a boolean.
    pub(super) fn bool(&self, id: i16) -> Option<bool> {
        match self.field(id)? {
            Thing::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// A field that is a list.
    pub(super) fn list(&self, id: i16) -> Option<&[Thing<'a>]> {
        match self.field(id)? {
            Thing::List(things) => Some(things),
            _ => None,
        }
    }

    /// A field that is text.
    pub(super) fn text(&self, id: i16) -> Option<&'a str> {
        match self.field(id)? {
            Thing::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }
}
