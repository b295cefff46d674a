//! Numbers in LEB128: seven bits per byte, the lowest first.

/// Appends a number.
pub(crate) fn write(bytes: &mut Vec<u8>, number: u128) {
    let mut high = number;
    // Nearly all numbers have 64 bits, with which machines count faster.
    while high > u64::MAX.into() {
        bytes.push(high as u8 | 0x80);
        high >>= 7;
    }
    let mut low = high as u64;
    while low >= 0x80 {
        bytes.push(low as u8 | 0x80);
        low >>= 7;
    }
    bytes.push(low as u8);
}

/// Takes a number of at most that many bits, in its shortest form.
pub(crate) fn read(bytes: &mut &[u8], bits: u32) -> Option<u128> {
    let mut number = 0_u128;
    for shift in (0..bits).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let low = u128::from(byte & 0x7f);
        if low << shift >> shift != low || (byte == 0 && shift > 0) {
            return None;
        }
        number |= low << shift;
        if byte < 0x80 {
            return Some(number).filter(|number| number.checked_shr(bits).unwrap_or(0) == 0);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for shift in 0..128 {
            for number in [1 << shift, u128::MAX >> shift, (1 << shift) + 1] {
                let mut bytes = Vec::new();
                write(&mut bytes, number);
                let bits = 128 - number.leading_zeros();
                assert_eq!(read(&mut &bytes[..], bits), Some(number));
                assert_eq!(read(&mut &bytes[..], 128), Some(number));
                assert_eq!(read(&mut &bytes[..], bits - 1), None);
                assert_eq!(read(&mut &bytes[..bytes.len() - 1], 128), None);
            }
        }
        assert_eq!(read(&mut &[0x80, 0][..], 64), None);
        assert_eq!(read(&mut &[0][..], 64), Some(0));
    }
}
