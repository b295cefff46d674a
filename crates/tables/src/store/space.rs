//! Free space on the disk.

use std::path::Path;

use papamu_base::file::FileError;

use crate::error::TableError;

/// Refuses a directory of `needs_bytes` bytes that would not fit on its disk. Neither the directory
/// nor its parents need to exist yet.
pub(crate) fn check_space(directory: &Path, needs_bytes: u64) -> Result<(), TableError> {
    let above = directory.ancestors().skip(1).map(|path| match path.as_os_str().is_empty() {
        true => Path::new("."),
        false => path,
    });
    let parent = above.into_iter().find(|path| path.exists()).unwrap_or(Path::new("."));
    let free_bytes = fs4::available_space(parent)
        .map_err(|error| FileError::new("make the table in", parent, error))?;
    if needs_bytes > free_bytes {
        let path = directory.to_owned();
        return Err(TableError::NeedsSpace { path, needs_bytes, free_bytes });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_fit_is_refused() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join("not/there/yet");
        check_space(&path, 1).expect("room for a byte");
        let refused = check_space(&path, u64::MAX).expect_err("no disk is so large");
        assert!(matches!(refused, TableError::NeedsSpace { needs_bytes: u64::MAX, .. }));
    }
}
