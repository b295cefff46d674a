//! Text files that users name and that are read whole.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use papamu_base::file::FileError;

use crate::Error;

/// Larger files are refused; devices may never end.
const MOST_BYTES: u64 = 1 << 28;

/// Reads a file.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    let fail = |error| FileError::new("read", path, error);
    let mut text = String::new();
    let file = File::open(path).map_err(fail)?;
    file.take(MOST_BYTES + 1).read_to_string(&mut text).map_err(fail)?;
    if text.len() as u64 > MOST_BYTES {
        let problem = format!("it has more than {MOST_BYTES} bytes");
        return Err(Error::Input { path: path.to_owned(), problem });
    }
    Ok(text)
}
