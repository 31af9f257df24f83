//! Threads that work together on one thing at a time.
//!
//! The caller gives all workers, itself included, the same task with their numbers and goes on when all are done. Workers wait
//! by spinning for a while and then sleep: between two evaluations little else happens.

use std::{
    cell::UnsafeCell,
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// Turns of waiting before giving way, and before sleeping.
const SPINS: u32 = 4_000;
const YIELDS: u32 = 200;

/// A task: called with the number of the worker.
type Task<'a> = &'a (dyn Fn(usize) + Sync);

/// The caller and its workers.
pub(super) struct ThreadPool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    order: Line<Order>,
    /// Workers that have not finished the present task.
    busy: Line<AtomicUsize>,
    asleep: Mutex<()>,
    wake: Condvar,
}

/// In lines of the cache of its own: one that several threads use goes to and fro between their processors (two lines, for
/// prefetchers).
#[repr(align(128))]
struct Line<T>(T);

/// What workers wait for, all in one line.
struct Order {
    /// Number of the present task.
    number: AtomicUsize,
    /// The present task, whose life the caller has stretched to its return; see [`ThreadPool::run`]. `None`: shut down.
    task: UnsafeCell<Option<Task<'static>>>,
    sleeping: AtomicUsize,
}

// SAFETY: the task is written when all workers have finished the one before, and read by workers after they have seen its number.
unsafe impl Sync for Order {}

impl ThreadPool {
    /// A caller with `size - 1` workers.
    pub fn new(size: usize) -> Self {
        let order = Order { number: AtomicUsize::new(0), task: UnsafeCell::new(None), sleeping: AtomicUsize::new(0) };
        let shared = Arc::new(Shared {
            order: Line(order),
            busy: Line(AtomicUsize::new(0)),
            asleep: Mutex::new(()),
            wake: Condvar::new(),
        });
        let start = |worker| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || shared.work(worker))
        };
        Self { workers: (1..size).map(start).collect(), shared }
    }

    /// Workers, the caller included.
    pub fn size(&self) -> usize {
        self.workers.len() + 1
    }

    /// Runs `task` with every number below the size, and returns when all calls have returned.
    pub fn run(&mut self, task: Task) {
        // SAFETY: only the life changes; workers use the task before they report that they are done, and this function returns
        // after all have.
        let task = unsafe { std::mem::transmute::<Task, Task<'static>>(task) };
        self.shared.busy.0.store(self.workers.len(), Ordering::Relaxed);
        self.start(Some(task));
        without_unwinding(|| task(0));
        wait_until(|| self.shared.busy.0.load(Ordering::Acquire) == 0);
    }

    /// All workers have finished what they were given before.
    fn start(&mut self, task: Option<Task<'static>>) {
        let Shared { order: Line(order), asleep, wake, .. } = &*self.shared;
        // SAFETY: nobody reads it: workers wait for the next number.
        unsafe { *order.task.get() = task };
        // Sequentially consistent with the worker's check: either it sees the new task or we see it sleeping.
        order.number.fetch_add(1, Ordering::SeqCst);
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
        for done in 0.. {
            self.wait_for_task_after(done);
            // SAFETY: it was written before its number, and stays until we have finished.
            let Some(task) = (unsafe { *self.order.0.task.get() }) else { return };
            without_unwinding(|| task(worker));
            self.busy.0.fetch_sub(1, Ordering::Release);
        }
    }

    fn wait_for_task_after(&self, done: usize) {
        let Order { number, sleeping, .. } = &self.order.0;
        let mut turns = 0;
        while number.load(Ordering::Acquire) == done {
            if turns < SPINS + YIELDS {
                pause(&mut turns);
                continue;
            }
            let mut guard = self.asleep.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            sleeping.fetch_add(1, Ordering::SeqCst);
            while number.load(Ordering::SeqCst) == done {
                guard = self.wake.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            sleeping.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Ends the program should `work` panic: the other threads use what the caller of [`ThreadPool::run`] has on its stack, and would wait for
/// ever for what this one had to do.
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
pub(super) fn wait_until(done: impl Fn() -> bool) {
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
            pool.run(&|worker| _ = counts[worker].fetch_add(1, Ordering::Relaxed));
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == task));
            if task % 500 == 0 {
                // Long enough for workers to fall asleep.
                thread::sleep(std::time::Duration::from_millis(20));
            }
        }
    }
}
