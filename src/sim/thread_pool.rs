//! Threads that work together on one thing at a time.
//!
//! The caller gives all workers, itself included, the same task with their numbers. It goes on when all have done it,
//! or, where a task is done once the caller has returned from it, when those have that had begun by then: on a busy
//! machine it does not wait for workers that are not running. Workers wait by spinning for a while and then sleep:
//! between two evaluations little else happens.

use std::{
    cell::UnsafeCell,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// Turns of waiting before giving way, and before sleeping.
const SPINS: u32 = 4_000;
const YIELDS: u32 = 200;

/// Low bits of the ticket: workers that have begun, or all ones when no more may.
const BEGUN_BITS: u32 = 16;
const BEGUN: u64 = (1 << BEGUN_BITS) - 1;

/// A task: called with the number of the worker.
type Task<'a> = &'a (dyn Fn(usize) + Sync);

/// Whom the caller waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum WaitFor {
    /// All workers: each has a part of the task.
    All,
    /// Workers that have begun: whoever is there takes what is left of the task, so that nothing is left when the
    /// caller has ended.
    Begun,
}

/// The caller and its workers.
pub(crate) struct ThreadPool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    order: Line<Order>,
    /// Workers that have ended the present task.
    ended: Line<AtomicUsize>,
    asleep: Mutex<()>,
    wake: Condvar,
}

/// In lines of the cache of its own: one that several threads use goes to and fro between their processors (two lines,
/// for prefetchers).
#[repr(align(128))]
pub(crate) struct Line<T>(pub T);

/// What workers wait for, all in one line.
struct Order {
    /// Number of the present task, and in the low [`BEGUN_BITS`] how many workers have begun. Both in one word, so that
    /// a worker that was held up anywhere cannot begin a task that the caller waits for no longer.
    ticket: AtomicU64,
    /// The present task, whose life the caller has stretched to its return; see [`ThreadPool::run`]. `None`: shut down.
    task: UnsafeCell<Option<Task<'static>>>,
    sleeping: AtomicUsize,
}

// SAFETY: the task is written when no worker is in the one before and none may begin, and read by workers that have
// begun.
unsafe impl Sync for Order {}

impl ThreadPool {
    /// A caller with `size - 1` workers.
    pub fn new(size: usize) -> Self {
        let order = Order { ticket: AtomicU64::new(BEGUN), task: UnsafeCell::new(None), sleeping: AtomicUsize::new(0) };
        let shared = Arc::new(Shared {
            order: Line(order),
            ended: Line(AtomicUsize::new(0)),
            asleep: Mutex::new(()),
            wake: Condvar::new(),
        });
        let start = |worker| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.work(worker))
        };
        Self { workers: (1..size.min(BEGUN as usize)).map(start).collect(), shared }
    }

    /// Workers, the caller included.
    pub fn size(&self) -> usize {
        self.workers.len() + 1
    }

    /// Runs `task` with numbers below the size, with each at most once and with 0 here, and returns when all calls have
    /// returned.
    pub fn run(&mut self, wait_for: WaitFor, task: Task) {
        // SAFETY: only the life changes; workers use the task between begin and end, no worker begins after the
        // exchange below, and this function returns after those that have begun have ended.
        let task = unsafe { std::mem::transmute::<Task, Task<'static>>(task) };
        self.start(Some(task));
        without_unwinding(|| task(0));
        let Shared { order: Line(order), ended: Line(ended), .. } = &*self.shared;
        let begun = match wait_for {
            WaitFor::All => self.workers.len() as u64,
            WaitFor::Begun => order.ticket.fetch_or(BEGUN, Ordering::Relaxed) & BEGUN,
        };
        wait_until(|| ended.load(Ordering::Acquire) as u64 == begun);
        order.ticket.fetch_or(BEGUN, Ordering::Relaxed);
    }

    /// No worker is in a task, and none may begin one.
    fn start(&mut self, task: Option<Task<'static>>) {
        let Shared { order: Line(order), ended: Line(ended), asleep, wake } = &*self.shared;
        // SAFETY: nobody reads it before the next number.
        unsafe { *order.task.get() = task };
        ended.store(0, Ordering::Relaxed);
        // Sequentially consistent with the worker's check: either it sees the new task or we see it sleeping. The next
        // number, and none has begun.
        order.ticket.fetch_add(1, Ordering::SeqCst);
        if order.sleeping.load(Ordering::SeqCst) > 0 {
            let _guard = asleep.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            wake.notify_all();
        }
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.start(None);
        for worker in self.workers.drain(..) {
            // Tasks do not unwind, so that there is nothing to hear of.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn work(&self, worker: usize) {
        let Order { ticket, task, .. } = &self.order.0;
        let mut done = 0;
        loop {
            let open = self.wait_for_task_after(done);
            // One more has begun, unless the caller waits for nobody else by now, or has gone on to the next task.
            if ticket.compare_exchange_weak(open, open + 1, Ordering::AcqRel, Ordering::Relaxed).is_err() {
                continue;
            }
            done = open >> BEGUN_BITS;
            // SAFETY: it does not change as long as a worker that has begun has not ended.
            let Some(task) = (unsafe { *task.get() }) else { return };
            without_unwinding(|| task(worker));
            self.ended.0.fetch_add(1, Ordering::Release);
        }
    }

    /// The ticket of a task that is not `done` and may be begun.
    fn wait_for_task_after(&self, done: u64) -> u64 {
        let Order { ticket, sleeping, .. } = &self.order.0;
        let is_open = |ticket: u64| ticket >> BEGUN_BITS != done && ticket & BEGUN != BEGUN;
        let mut turns = 0;
        loop {
            let open = ticket.load(Ordering::Acquire);
            if is_open(open) {
                return open;
            }
            if turns < SPINS + YIELDS {
                pause(&mut turns);
                continue;
            }
            let mut guard = self.asleep.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            sleeping.fetch_add(1, Ordering::SeqCst);
            while !is_open(ticket.load(Ordering::SeqCst)) {
                guard = self.wake.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            sleeping.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Ends the program should `work` panic: the other threads use what the caller of [`ThreadPool::run`] has on its stack,
/// and would wait for ever for what this one had to do.
fn without_unwinding(work: impl FnOnce()) {
    struct End;
    impl Drop for End {
        fn drop(&mut self) {
            if thread::panicking() {
                std::process::abort();
            }
        }
    }
    let _end = End;
    work();
}

/// Waits for something that another thread does soon.
pub(crate) fn wait_until(done: impl Fn() -> bool) {
    let mut turns = 0;
    while !done() {
        pause(&mut turns);
    }
}

fn pause(turns: &mut u32) {
    if *turns < SPINS {
        std::hint::spin_loop();
    } else {
        thread::yield_now();
    }
    *turns = turns.saturating_add(1);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_worker_does_every_task_once() {
        let mut pool = ThreadPool::new(3);
        let counts: Vec<AtomicUsize> = (0..3).map(|_| AtomicUsize::new(0)).collect();
        for task in 1..=2_000 {
            pool.run(WaitFor::All, &|worker| _ = counts[worker].fetch_add(1, Ordering::Relaxed));
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == task));
            if task % 500 == 0 {
                // Long enough for workers to fall asleep.
                thread::sleep(std::time::Duration::from_millis(20));
            }
        }
    }

    #[test]
    fn whoever_comes_late_finds_nothing_of_a_task_that_has_ended() {
        // More threads than processors: some of them stand still in the middle of things.
        let mut pool = ThreadPool::new(8);
        for task in 0..20_000 {
            // Who waits for all waits for threads that are not running.
            let wait_for = if task % 64 == 0 { WaitFor::All } else { WaitFor::Begun };
            // Many items after one: who comes late finds more of them than there were.
            let items = if task % 2 == 1 { 24 } else { 1 };
            let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
            pool.run(wait_for, &|_| {
                while next.fetch_add(1, Ordering::Relaxed) < items {
                    (0..4).for_each(|_| std::hint::spin_loop());
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
            assert_eq!(done.load(Ordering::Relaxed), items, "task {task}");
        }
    }
}
