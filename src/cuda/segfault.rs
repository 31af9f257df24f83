//! Code of the host that reads or writes through a pointer of the device ends with a segmentation fault, as on a GPU;
//! here it is told why.

use libc::{c_int, c_void, siginfo_t};
use measure::session::memory;
use std::sync::OnceLock;

/// Who was told of faults before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// What is said.
const MESSAGE: &[u8] = b"warpmesh: code of the host has used a pointer of the device's (from 0x200000000000 on): cudaMemcpy copies to and from there\n";

/// Watches segmentation faults.
pub fn watch() {
    BEFORE.get_or_init(|| {
        // SAFETY: all zeros is a signal action; the handler does only what one may do.
        unsafe {
            let (mut new, mut old): (libc::sigaction, libc::sigaction) = (std::mem::zeroed(), std::mem::zeroed());
            new.sa_sigaction = fault as extern "C" fn(c_int, *mut siginfo_t, *mut c_void) as usize;
            new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGSEGV, &raw const new, &raw mut old);
            old
        }
    });
}

extern "C" fn fault(signal: c_int, info: *mut siginfo_t, _: *mut c_void) {
    // SAFETY: the system gives the place of the fault; `write` and `sigaction` may be called in a handler. The
    // instruction faults again, for whoever was there before.
    unsafe {
        if memory::address((*info).si_addr() as u64).is_some() {
            libc::write(2, MESSAGE.as_ptr().cast::<c_void>(), MESSAGE.len());
        }
        if let Some(before) = BEFORE.get() {
            libc::sigaction(signal, before, std::ptr::null_mut());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_names_the_window() {
        let text = String::from_utf8_lossy(MESSAGE);
        assert!(text.contains(&format!("{:#x}", memory::pointer(0))));
    }
}
