//! Tables on disk: layers in hashed blocks, their list, and how a directory of them comes to be.

pub mod directory;
pub(crate) mod layer_file;
