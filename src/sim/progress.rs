//! How far the preparation of a simulation is, for whoever waits for it.
//!
//! Engines are compiled on the thread that asks for the simulation, so who watches is a matter of that thread.

use std::cell::RefCell;

/// A part of the preparation that is under way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProgressStep<'a> {
    /// The kind of block that was made last.
    pub what: &'a str,
    /// So many are made.
    pub done: usize,
    /// In all.
    pub of: usize,
}

type Watcher = Box<dyn FnMut(ProgressStep)>;

thread_local! {
    static WATCHER: RefCell<Option<Watcher>> = const { RefCell::new(None) };
}

/// Does `work`, and calls `watcher` at every step of a preparation in it, on this thread.
pub fn watch<R>(watcher: impl FnMut(ProgressStep) + 'static, work: impl FnOnce() -> R) -> R {
    let _restored = Restored(WATCHER.replace(Some(Box::new(watcher))));
    work()
}

/// Puts back who watched before, also when the work panics.
struct Restored(Option<Watcher>);

impl Drop for Restored {
    fn drop(&mut self) {
        WATCHER.set(self.0.take());
    }
}

/// A step is done. A watcher that simulates itself is not told of that.
pub(super) fn report(what: &str, done: usize, of: usize) {
    WATCHER.with(|watcher| {
        if let Ok(mut watcher) = watcher.try_borrow_mut()
            && let Some(watcher) = &mut *watcher
        {
            watcher(ProgressStep { what, done, of });
        }
    });
}
