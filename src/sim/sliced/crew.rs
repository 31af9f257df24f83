//! Threads that work together on one thing at a time.
//!
//! The caller gives all workers, itself included, the same task with their numbers and goes on when all are done. Workers wait
//! by spinning for a while and then sleep: between two evaluations little else happens.

use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread::{self, JoinHandle},
};

/// Turns of waiting before giving way, and before sleeping.
const SPINS: u32 = 4_000;
const YIELDS: u32 = 200;

/// A task: called with the number of the worker.
type Task<'a> = &'a (dyn Fn(usize) + Sync);

/// The caller and its workers.
pub(super) struct Crew {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    /// The present task, whose life the caller has stretched to its return; see [`Crew::run`].
    task: Mutex<Option<Task<'static>>>,
    /// Number of the present task.
    number: AtomicUsize,
    /// Workers that have not finished it.
    busy: AtomicUsize,
    quit: AtomicBool,
    sleeping: AtomicUsize,
    wake: Condvar,
}

impl Crew {
    /// A caller with `size - 1` workers.
    pub fn new(size: usize) -> Self {
        let shared = Arc::new(Shared {
            task: Mutex::new(None),
            number: AtomicUsize::new(0),
            busy: AtomicUsize::new(0),
            quit: AtomicBool::new(false),
            sleeping: AtomicUsize::new(0),
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
    pub fn run(&self, task: Task) {
        // SAFETY: only the life changes; workers use the task before they report that they are done, and this function returns
        // after all have.
        let task = unsafe { std::mem::transmute::<Task, Task<'static>>(task) };
        self.shared.busy.store(self.workers.len(), Ordering::Relaxed);
        self.shared.start(Some(task));
        task(0);
        let mut turns = 0;
        while self.shared.busy.load(Ordering::Acquire) > 0 {
            pause(&mut turns);
        }
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.shared.quit.store(true, Ordering::Relaxed);
        self.shared.start(None);
        for worker in self.workers.drain(..) {
            // A worker that panicked has told so.
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn start(&self, task: Option<Task<'static>>) {
        *self.task.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = task;
        // Sequentially consistent with the worker's check: either it sees the new task or we see it sleeping.
        self.number.fetch_add(1, Ordering::SeqCst);
        if self.sleeping.load(Ordering::SeqCst) > 0 {
            let _guard = self.task.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            self.wake.notify_all();
        }
    }

    fn work(&self, worker: usize) {
        let mut done = 0;
        loop {
            let task = self.wait_for_task_after(done);
            done += 1;
            if self.quit.load(Ordering::Relaxed) {
                return;
            }
            if let Some(task) = task {
                task(worker);
            }
            self.busy.fetch_sub(1, Ordering::Release);
        }
    }

    fn wait_for_task_after(&self, done: usize) -> Option<Task<'static>> {
        let mut turns = 0;
        while self.number.load(Ordering::Acquire) == done && turns < SPINS + YIELDS {
            pause(&mut turns);
        }
        let mut guard = self.task.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if self.number.load(Ordering::SeqCst) == done {
            self.sleeping.fetch_add(1, Ordering::SeqCst);
            while self.number.load(Ordering::SeqCst) == done {
                guard = self.wake.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner());
            }
            self.sleeping.fetch_sub(1, Ordering::SeqCst);
        }
        *guard
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
        let crew = Crew::new(3);
        let counts: Vec<AtomicUsize> = (0..3).map(|_| AtomicUsize::new(0)).collect();
        for task in 1..=2_000 {
            crew.run(&|worker| _ = counts[worker].fetch_add(1, Ordering::Relaxed));
            assert!(counts.iter().all(|count| count.load(Ordering::Relaxed) == task));
            if task % 500 == 0 {
                // Long enough for workers to fall asleep.
                thread::sleep(std::time::Duration::from_millis(20));
            }
        }
    }
}
