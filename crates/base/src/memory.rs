//! Keeps collections of positions below a memory limit.

use std::hash::Hash;

use hashbrown::{HashMap, HashSet};
use thiserror::Error;

use crate::Stopped;

/// The positions outgrew the memory limit, or the system has no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the positions to remember do not fit into {limit_bytes} bytes")]
pub struct OutOfMemory {
    /// The limit.
    pub limit_bytes: usize,
}

/// A collection that grows by moving into one of twice its size.
pub trait Growing {
    /// Whether one more element makes it grow.
    fn is_full(&self) -> bool;
    /// The bytes that it takes now.
    fn bytes(&self) -> usize;
    /// Grows. Returns false if the system has no more memory.
    fn grow(&mut self) -> bool;
}

impl<K: Eq + Hash, V> Growing for HashMap<K, V> {
    fn is_full(&self) -> bool {
        self.len() == self.capacity()
    }
    fn bytes(&self) -> usize {
        self.allocation_size()
    }
    fn grow(&mut self) -> bool {
        self.try_reserve(1).is_ok()
    }
}

impl<K: Eq + Hash> Growing for HashSet<K> {
    fn is_full(&self) -> bool {
        self.len() == self.capacity()
    }
    fn bytes(&self) -> usize {
        self.allocation_size()
    }
    fn grow(&mut self) -> bool {
        self.try_reserve(1).is_ok()
    }
}

impl<T> Growing for Vec<T> {
    fn is_full(&self) -> bool {
        self.len() == self.capacity()
    }
    fn bytes(&self) -> usize {
        self.capacity() * size_of::<T>()
    }
    fn grow(&mut self) -> bool {
        self.try_reserve(1).is_ok()
    }
}

/// Makes room for one more element, if the collection and `other_bytes` stay below the limit. The
/// old and the new collection exist together for a moment.
#[inline]
pub fn make_room(
    collection: &mut impl Growing,
    other_bytes: usize,
    limit_bytes: usize,
) -> Result<(), OutOfMemory> {
    if !collection.is_full() {
        return Ok(());
    }
    let needed = collection.bytes().saturating_mul(3).saturating_add(other_bytes);
    if needed > limit_bytes || !collection.grow() {
        return Err(OutOfMemory { limit_bytes });
    }
    Ok(())
}

/// Why work that remembers positions ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfinished {
    /// The positions outgrew the memory.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
    /// The work was stopped.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}
