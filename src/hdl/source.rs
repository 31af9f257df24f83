//! Places in the Rust source.

use std::fmt;

/// Where in the Rust source something was described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Source {
    /// File as the compiler names it; for a plain rust-hdl block, where it is imported.
    pub file: &'static str,
    /// Line, from 1; 0 when unknown.
    pub line: u32,
}

impl Source {
    /// The caller of the function that is marked `#[track_caller]`, or the pinned place.
    #[track_caller]
    pub fn here() -> Self {
        let at = std::panic::Location::caller();
        PINNED.get().unwrap_or(Self { file: at.file(), line: at.line() })
    }

    /// Runs `body` with [`here`](Self::here) answering this place: for code that records a block on behalf of another
    /// description, whose place is what a reader wants to see.
    pub fn pinned<T>(self, body: impl FnOnce() -> T) -> T {
        struct Restore(Option<Source>);
        impl Drop for Restore {
            fn drop(&mut self) {
                PINNED.set(self.0);
            }
        }
        let _restore = Restore(PINNED.replace(Some(self)));
        body()
    }
}

thread_local! {
    /// See [`Source::pinned`].
    static PINNED: std::cell::Cell<Option<Source>> = const { std::cell::Cell::new(None) };
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
