//! Ctrl-C and the like: they stop the search that is running, which then ends in good order, or end
//! work that can be left where it is.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

use papamu_search::run::Monitor;

use crate::failure::INTERRUPTED;

static RUNNING: Mutex<Option<Arc<Monitor>>> = Mutex::new(None);
static HANDLER: Once = Once::new();

/// Some programs send a signal twice at once; only a person who insists comes later.
const INSISTENCE: Duration = Duration::from_secs(1);

/// A monitor that is stopped by signals. A signal that comes later once more ends the program.
pub(crate) fn stoppable_monitor() -> Arc<Monitor> {
    let monitor = Arc::new(Monitor::new());
    *RUNNING.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&monitor));
    HANDLER.call_once(|| {
        let mut first: Option<Instant> = None;
        // Without a handler a signal ends the program at once, and the last checkpoint remains.
        let _ = ctrlc::set_handler(move || {
            let since = first.get_or_insert_with(Instant::now).elapsed();
            if since > INSISTENCE {
                std::process::exit(i32::from(INTERRUPTED));
            }
            if let Some(monitor) = &*RUNNING.lock().unwrap_or_else(PoisonError::into_inner) {
                monitor.stop();
            }
        });
    });
    monitor
}

/// Makes signals end the program with a message. For work that keeps what is finished by itself.
pub(crate) fn exit_on_signals(message: &'static str) {
    let _ = ctrlc::set_handler(move || {
        // If stderr cannot be written, the exit code must do.
        let _ = writeln!(io::stderr(), "papamu: {message}");
        std::process::exit(i32::from(INTERRUPTED));
    });
}
