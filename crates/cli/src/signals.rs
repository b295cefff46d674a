//! Signals: Ctrl-C and the like stop the work that is running, which then ends cleanly.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use papamu_base::Stop;

use crate::failure::{INTERRUPTED, MEMORY};

/// Some programs send a signal twice at once. A second signal after this time comes from a person
/// who insists.
const INSISTENCE: Duration = Duration::from_secs(1);

/// What the program does about signals.
pub(crate) struct Signals {
    stop: Stop,
}

impl Signals {
    /// From now on signals stop work. Another signal, some time later, ends the program.
    pub(crate) fn new() -> Signals {
        let stop = Stop::new();
        let (wish, mut first) = (stop.clone(), None::<Instant>);
        // Without a handler a signal ends the program at once, and the last checkpoint remains.
        let _ = ctrlc::set_handler(move || {
            if first.get_or_insert_with(Instant::now).elapsed() > INSISTENCE {
                std::process::exit(i32::from(INTERRUPTED));
            }
            wish.set();
        });
        #[cfg(unix)]
        expect_limits();
        Signals { stop }
    }

    /// The request to stop work.
    pub(crate) fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

/// Limits that the system sets. A file that may not grow is a write error. An allocation that fails
/// where the program cannot go on ends it with the exit code for memory.
#[cfg(unix)]
fn expect_limits() {
    use signal_hook::consts::{SIGABRT, SIGXFSZ};
    use signal_hook::flag;

    // With a handler, the write fails with an error instead of ending the program.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    // The standard library aborts when memory runs out; so does a panic, which is a bug of ours and
    // should look like one.
    let is_memory = Arc::new(AtomicBool::new(true));
    let _ = flag::register_conditional_shutdown(SIGABRT, i32::from(MEMORY), Arc::clone(&is_memory));
    let report = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        is_memory.store(false, Ordering::Relaxed);
        report(panic);
    }));
}
