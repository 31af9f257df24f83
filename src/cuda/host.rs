//! Memory of the host behind the pointers of a program: an access that would end the process is an error of the call
//! instead.
//!
//! The system is asked before each access: it copies a byte of each page of the process to the process itself
//! (`process_vm_readv`), and tells where there is none. A system that does not let us ask is believed to have all
//! memory, as in C.

use crate::error::{Failure, Status, failure};
use libc::{c_void, iovec};

/// Bytes of the smallest page.
const PAGE: usize = 4096;
/// Pages that the system is asked about at once.
const AT_ONCE: usize = 1024;

/// What is done there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HostAccess {
    /// Read.
    Read,
    /// Written; all of it may be written with what it holds.
    Write,
}

/// All of `bytes` from a pointer on are memory of the host.
pub fn check(pointer: *const c_void, bytes: usize, access: HostAccess) -> Result<(), Failure> {
    check_rows(pointer, bytes, [bytes, 1], access)
}

/// All rows of `width` bytes, each `pitch` behind the one before, are memory of the host.
pub fn check_rows(
    pointer: *const c_void,
    pitch: usize,
    [width, height]: [usize; 2],
    access: HostAccess,
) -> Result<(), Failure> {
    if width == 0 || height == 0 {
        return Ok(());
    }
    let bytes = (height - 1).checked_mul(pitch).and_then(|rows| rows.checked_add(width));
    let start = pointer as usize;
    let end = bytes.filter(|bytes| *bytes <= isize::MAX as usize).and_then(|bytes| start.checked_add(bytes));
    let there = match end {
        None => false,
        // Rows without a page between are one piece.
        Some(end) if pitch <= PAGE => are_there(pages(start, end), access),
        Some(_) => {
            are_there((0..height).flat_map(|row| pages(start + row * pitch, start + row * pitch + width)), access)
        }
    };
    match there {
        true => Ok(()),
        false => {
            let what = if access == HostAccess::Read { "read" } else { "written" };
            let rows = if height > 1 { format!("{height} rows of {width}, {pitch} apart,") } else { width.to_string() };
            failure(
                Status::InvalidValue,
                format!("{rows} bytes from {pointer:?} on: not all of them are memory of the host that can be {what}"),
            )
        }
    }
}

/// What the program has put there; null is an error.
pub fn read<T: Copy>(from: *const T, what: &str) -> Result<T, Failure> {
    if from.is_null() {
        return failure(Status::InvalidValue, format!("{what}: a null pointer"));
    }
    check(from.cast(), size_of::<T>(), HostAccess::Read)?;
    // SAFETY: it can be read, and types of the interface are whole numbers, floats, pointers, and structures of them.
    Ok(unsafe { from.read_unaligned() })
}

/// The first byte of each page from `start` to before `end`.
fn pages(start: usize, end: usize) -> impl Iterator<Item = usize> {
    std::iter::once(start).chain((start / PAGE * PAGE..end).step_by(PAGE).skip(1))
}

/// Whether these bytes are there.
fn are_there(bytes: impl Iterator<Item = usize>, access: HostAccess) -> bool {
    let mut bytes = bytes.peekable();
    while bytes.peek().is_some() {
        let one = |at: usize| iovec { iov_base: at as *mut c_void, iov_len: 1 };
        let theirs: Vec<iovec> = bytes.by_ref().take(AT_ONCE).map(one).collect();
        let mut held = [0u8; AT_ONCE];
        let ours = iovec { iov_base: held.as_mut_ptr().cast(), iov_len: theirs.len() };
        // SAFETY: as many bytes as there are places; the system refuses what is not there. A byte that is written is
        // the one that was read, in memory that is about to be written.
        let passed = unsafe {
            let (process, count) = (libc::getpid(), theirs.len() as libc::c_ulong);
            let found = libc::process_vm_readv(process, &raw const ours, 1, theirs.as_ptr(), count, 0);
            match access {
                HostAccess::Write if found == theirs.len() as isize => {
                    libc::process_vm_writev(process, &raw const ours, 1, theirs.as_ptr(), count, 0)
                }
                _ => found,
            }
        };
        let may_ask = || std::io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT);
        match passed {
            -1 => return !may_ask(),
            passed if passed < theirs.len() as isize => return false,
            _ => {}
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_found() {
        const PAGES: usize = 3000;
        let (nowhere, none) = (std::ptr::null_mut(), libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: new memory, and parts of it.
        let map = unsafe {
            let map = libc::mmap(nowhere, PAGES * PAGE, libc::PROT_READ | libc::PROT_WRITE, none, -1, 0);
            assert_ne!(map, libc::MAP_FAILED);
            assert_eq!(libc::mprotect(map.byte_add(2500 * PAGE), PAGE, libc::PROT_READ), 0);
            assert_eq!(libc::munmap(map.byte_add(2999 * PAGE), PAGE), 0);
            map
        };
        let at = |byte: usize| map.wrapping_byte_add(byte).cast_const();
        let can = |from: usize, bytes: usize, access: HostAccess| check(at(from), bytes, access).is_ok();
        assert!(can(0, 2999 * PAGE, HostAccess::Read) && can(0, 2500 * PAGE, HostAccess::Write));
        assert!(!can(0, 2999 * PAGE + 1, HostAccess::Read) && !can(0, 2500 * PAGE + 1, HostAccess::Write));
        assert!(can(2501 * PAGE, 498 * PAGE, HostAccess::Write) && can(2501 * PAGE - 1, 1, HostAccess::Read));
        assert!(!can(2501 * PAGE - 1, 2, HostAccess::Write) && !can(2999 * PAGE - 1, 2, HostAccess::Read));
        assert!(can(5, 0, HostAccess::Write) && check(std::ptr::null(), 0, HostAccess::Read).is_ok());
        for bytes in [1, 1 << 40, usize::MAX, usize::MAX / 2] {
            assert!(check(std::ptr::null(), bytes, HostAccess::Read).is_err());
            assert!(!can(2999 * PAGE, bytes, HostAccess::Read));
        }
        // Rows with what is not there between them.
        let rows = |pitch, width, height, access| check_rows(at(2498 * PAGE), pitch, [width, height], access).is_ok();
        assert!(rows(4 * PAGE, 2 * PAGE, 2, HostAccess::Write) && !rows(4 * PAGE, 2 * PAGE + 1, 2, HostAccess::Write));
        assert!(!rows(PAGE, 8, 3, HostAccess::Write) && rows(PAGE, 8, 3, HostAccess::Read));
        assert!(!rows(1, 1, usize::MAX, HostAccess::Read) && !rows(usize::MAX, 1, 3, HostAccess::Read));
        assert_eq!(read(at(100).cast::<u64>(), "x").ok(), Some(0));
        assert_eq!(read(at(101).cast::<u64>(), "x").ok(), Some(0), "wherever it lies");
        assert!(read(at(2999 * PAGE - 4).cast::<u64>(), "x").is_err());
        // SAFETY: nobody else has it.
        unsafe { libc::munmap(map, 2999 * PAGE) };
    }
}
