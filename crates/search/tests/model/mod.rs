//! How protocols are model-checked.

/// Tries a small model under every interleaving and every permitted reordering of memory.
pub(crate) fn check(model: impl Fn() + Sync + Send + 'static) {
    let mut builder = loom::model::Builder::new();
    // Up to three preemptions find all known kinds of errors in such small models.
    builder.preemption_bound = Some(3);
    builder.check(model);
}
