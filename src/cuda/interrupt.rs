//! Ctrl-C during a launch ends the launch, and then the program with the report of what has been launched. At all other
//! times it is the program's, also when the program has a handler of its own. A program that cannot go on from where it was
//! saved ends in the same way.

use libc::{SIGINT, SIGTERM, c_int, sigaction};
use std::sync::{
    Arc, OnceLock,
    atomic::{AtomicBool, AtomicI32, Ordering},
};

/// Exit code, as shells give it to a program that Ctrl-C has ended.
const CODE: c_int = 130;

static ASKED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// What the program is to end with; 0: it goes on.
static END: AtomicI32 = AtomicI32::new(0);

/// Ends the program with this exit code when the function that it has called is over.
pub fn end_with(code: c_int) {
    END.store(code, Ordering::Relaxed);
}

/// Becomes true when somebody presses Ctrl-C during a launch.
pub fn flag() -> Arc<AtomicBool> {
    ASKED.get_or_init(Arc::default).clone()
}

/// Somebody has.
pub fn is_asked() -> bool {
    ASKED.get().is_some_and(|asked| asked.load(Ordering::Relaxed))
}

/// Ends the program, with all that it does at its end, if somebody has.
pub fn end_if_asked() {
    let code = if is_asked() { CODE } else { END.load(Ordering::Relaxed) };
    if code != 0 {
        // SAFETY: as a program may do anywhere.
        unsafe { libc::exit(code) };
    }
}

extern "C" fn ask(_: c_int) {
    // SAFETY: an atomic, and the end of the process: both may be in a handler.
    match ASKED.get() {
        Some(asked) if !asked.swap(true, Ordering::Relaxed) => {}
        // SAFETY: always possible, in a handler of a signal, too.
        _ => unsafe { libc::_exit(CODE) },
    }
}

/// As long as it is there, the signals that end a program are looked at.
pub struct SignalWatch([(c_int, Option<sigaction>); 2]);

impl SignalWatch {
    /// From now on.
    pub fn begin() -> Self {
        flag();
        Self([SIGINT, SIGTERM].map(|signal| (signal, watch(signal))))
    }
}

/// What was there before, if it was nothing.
fn watch(signal: c_int) -> Option<sigaction> {
    // SAFETY: all zeros is a signal action; the handler does only what one may do.
    unsafe {
        let (mut new, mut old): (sigaction, sigaction) = (std::mem::zeroed(), std::mem::zeroed());
        let asked = libc::sigaction(signal, std::ptr::null(), &raw mut old);
        if asked != 0 || old.sa_sigaction != libc::SIG_DFL {
            return None;
        }
        new.sa_sigaction = ask as extern "C" fn(c_int) as usize;
        new.sa_flags = libc::SA_RESTART;
        (libc::sigaction(signal, &raw const new, std::ptr::null_mut()) == 0).then_some(old)
    }
}

impl Drop for SignalWatch {
    fn drop(&mut self) {
        for (signal, before) in &self.0 {
            if let Some(before) = before {
                // SAFETY: what was there.
                unsafe { libc::sigaction(*signal, before, std::ptr::null_mut()) };
            }
        }
    }
}
