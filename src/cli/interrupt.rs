//! Ctrl-C: the first one asks a simulation to end with what it has found so far, the second one ends the program at
//! once.

use super::call;
use signal_hook::{
    consts::{SIGINT, SIGTERM},
    flag,
};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, Ordering},
};

/// Exit code after Ctrl-C, as shells give it to a program that it has ended.
pub const CODE: u8 = 130;

/// Somebody has pressed Ctrl-C, or asked the program to terminate.
#[derive(Clone, Debug)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on Ctrl-C does not end the program; before, it does, as nothing would be lost.
    ///
    /// A command that a program has called is ended by that program, and leaves the signals of the process alone.
    pub fn watch() -> Self {
        if let Some(asked) = call::interrupt() {
            return Self(asked);
        }
        static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();
        let asked = ASKED.get_or_init(|| {
            let asked = Arc::new(AtomicBool::new(false));
            for signal in [SIGINT, SIGTERM] {
                // In this order, so that the first signal does not see its own mark. Where a system does not let us,
                // the signal ends the program as ever.
                let registered = flag::register_conditional_shutdown(signal, CODE.into(), asked.clone())
                    .and_then(|_| flag::register(signal, asked.clone()));
                _ = registered;
            }
            asked
        });
        Self(asked.clone())
    }

    /// It has happened.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Becomes true when it happens.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }
}
