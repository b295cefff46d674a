//! Keeping hash tables below a limit.

/// The bytes a hash table of the standard design needs at the moment when one more entry comes in:
/// a full one is copied into one of twice its size, and both exist for a while.
pub fn needed_for_one_more(len: usize, capacity: usize, allocated_bytes: usize) -> usize {
    if len == capacity { allocated_bytes.saturating_mul(3) } else { allocated_bytes }
}
