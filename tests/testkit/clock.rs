//! Time that a core spent on us, which other work on the machine does not add to.

use std::{
    mem::MaybeUninit,
    ops::{Add, Sub},
    time::{Duration, Instant},
};

/// Wall time and processor time.
#[derive(Clone, Copy, Default, Debug)]
pub struct Spent {
    /// As on the wall.
    pub wall: Duration,
    /// Of all threads of this process (or, for tools, of the tool and its children).
    pub cpu: Duration,
}

impl Add for Spent {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { wall: self.wall + other.wall, cpu: self.cpu + other.cpu }
    }
}

/// Runs `work` in this process.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    measured(process_time, work)
}

/// Runs `work`, which waits for other processes: their time.
pub fn timed_children<T>(work: impl FnOnce() -> T) -> (T, Spent) {
    measured(children_time, work)
}

fn measured<T>(clock: impl Fn() -> Duration, work: impl FnOnce() -> T) -> (T, Spent) {
    let (wall, before) = (Instant::now(), clock());
    let result = work();
    (result, Spent { wall: wall.elapsed(), cpu: clock().sub(before) })
}

/// Processor time of this process so far.
pub fn process_time() -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: the clock exists on every POSIX system, and the call fills in the whole structure when it succeeds.
    let time = unsafe {
        assert_eq!(libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, time.as_mut_ptr()), 0, "a clock of the process");
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn children_time() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the call fills in the whole structure when it succeeds.
    let usage = unsafe {
        assert_eq!(libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()), 0, "usage of the children");
        usage.assume_init()
    };
    let time = |t: libc::timeval| Duration::new(t.tv_sec as u64, 1000 * t.tv_usec as u32);
    time(usage.ru_utime) + time(usage.ru_stime)
}
