use papamu_base::file::FileError;
use std::path::Path;
pub(crate) struct TableData {
    pub(crate) objects: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) columns: Vec<Result<Vec<f64>, String>>,
}
#[derive(Debug, thiserror::Error)]
pub(crate) enum TableFileError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0}")]
    Bad(String),
}
impl TableData {
    pub(crate) fn read(_: &Path) -> Result<TableData, TableFileError> {
        Err(TableFileError::Bad("tmp".into()))
    }
}
pub(crate) fn write_parquet(
    _: &str,
    _: &[String],
    _: &[&str],
    _: &[Vec<f64>],
) -> Result<Vec<u8>, TableFileError> {
    Err(TableFileError::Bad("tmp".into()))
}
pub(crate) fn game_of(_: &Path) -> Result<String, crate::Error> {
    Ok("konane".into())
}
