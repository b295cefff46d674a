//! Parquet's hybrid of runs and packed bits, which encodes levels and dictionary indices.

use super::thrift::Reader;

/// Reads `count` numbers of `bits` bits each; `None` if the bytes end before.
pub(super) fn read(bytes: &[u8], bits: u32, count: usize) -> Option<Vec<u32>> {
    if bits > 32 {
        return None;
    }
    let mut reader = Reader { rest: bytes };
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let missing = count - numbers.len();
        let head = reader.varint()?;
        if head & 1 == 0 {
            let run = usize::try_from(head >> 1).ok()?.min(missing);
            let bytes = reader.bytes(bits.div_ceil(8) as usize)?;
            let value = bytes.iter().rev().fold(0_u32, |value, &byte| value << 8 | u32::from(byte));
            numbers.resize(numbers.len() + run, value);
        } else {
            // Groups of eight. The last one may be cut off where the values end.
            let groups = usize::try_from(head >> 1).ok()?;
            let values = groups.checked_mul(8)?.min(missing);
            let needed = values.checked_mul(bits as usize)?.div_ceil(8);
            let given = groups.checked_mul(bits as usize)?.min(reader.rest.len());
            if given < needed {
                return None;
            }
            let packed = reader.bytes(given)?;
            numbers.extend((0..values).map(|i| number(packed, i * bits as usize, bits)));
        }
    }
    Some(numbers)
}

/// A number from packed bits. There must be enough of them.
fn number(packed: &[u8], start: usize, bits: u32) -> u32 {
    let bit = |i: usize| u32::from(packed[i / 8] >> (i % 8) & 1);
    (0..bits).fold(0, |value, i| value | bit(start + i as usize) << i)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification: 0 to 7 in three bits each. And a run.
    #[test]
    fn runs_and_packed_bits() {
        let packed = [3, 0b1000_1000, 0b1100_0110, 0b1111_1010];
        assert_eq!(read(&packed, 3, 8), Some((0..8).collect()));
        assert_eq!(read(&packed, 3, 5), Some((0..5).collect()));
        assert_eq!(read(&packed, 3, 9), None);
        assert_eq!(read(&[10, 7], 3, 4), Some(vec![7; 4]));
        assert_eq!(
            read(&[10, 7, 3, 1], 1, 12),
            Some([&[7; 5][..], &[1, 0, 0, 0, 0, 0, 0]].concat())
        );
        assert_eq!(read(&[], 1, 0), Some(vec![]));
        assert_eq!(read(&[0xff; 20], 1, 3), None);
    }
}
