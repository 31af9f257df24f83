//! Memory that runs out ends the program with a message and exit code 5, not with a signal.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io::Write,
};

/// The system's allocator; where it has nothing left, the program says so and ends.
///
/// This covers what the system refuses: limits of the process (`ulimit -v`), and machines that promise no more than they have. Where
/// Linux promises more and then ends a process by itself, nothing in that process can answer.
pub struct Allocator;

/// Exit code when memory runs out.
pub const OUT_OF_MEMORY: u8 = 5;

/// What to do about it.
pub const HELP: &str =
    "`warpmesh check` estimates what a configuration takes; fewer nodes, warps or virtual channels take less";

fn given(place: *mut u8, bytes: usize) -> *mut u8 {
    if place.is_null() {
        // Standard error is not buffered, and numbers are printed without memory.
        let _ = writeln!(std::io::stderr(), "  × out of memory: {bytes} more bytes were refused\n  help: {HELP}");
        std::process::exit(OUT_OF_MEMORY.into());
    }
    place
}

// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as the caller promises.
        given(unsafe { System.realloc(place, layout, size) }, size)
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(place, layout) }
    }
}
