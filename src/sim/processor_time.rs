//! Processor time of the calling thread, which other work on the machine does not add to.
//!
//! Where the system does not tell, time on the wall. Threads that help are waited for without sleeping, so that the
//! time of the one that waits is that of the whole, as far as it is not interrupted.

use std::time::Duration;

/// So far. Reading it costs some tenths of a microsecond.
#[cfg(unix)]
pub(super) fn processor_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// So far.
#[cfg(not(unix))]
pub(super) fn processor_time() -> Duration {
    use std::{sync::LazyLock, time::Instant};
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    START.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{thread, time::Instant};

    #[test]
    #[cfg(unix)]
    fn waiting_takes_no_processor_time() {
        let (wall, before) = (Instant::now(), processor_time());
        thread::sleep(Duration::from_millis(50));
        let waited = processor_time() - before;
        assert!(waited < wall.elapsed() / 2, "{waited:?}");
        while processor_time() - before < waited + Duration::from_millis(5) {
            std::hint::spin_loop();
        }
    }
}
