//! Simulators that are used again: to build and compile a core takes much longer than a short program on it. One that
//! is given back begins anew from the state that it had after reset.

use sim::{Simulator, Snapshot};
use std::{
    ops::{Deref, DerefMut},
    sync::Mutex,
    thread,
};

/// Simulators that nobody uses, the last one given back at the end.
static POOL: Mutex<Vec<PooledKept>> = Mutex::new(vec![]);
/// More are not kept.
const MOST: usize = 16;

struct PooledKept {
    /// Says what it simulates, and how.
    key: String,
    simulator: Simulator,
    start: Snapshot,
}

/// A simulator that goes back to the others when it is dropped, unless it is alone.
pub struct Pooled {
    simulator: Option<Simulator>,
    home: Option<(String, Snapshot)>,
}

impl Pooled {
    /// One of the `key`, as `build` makes it.
    pub fn new(key: String, build: impl FnOnce() -> Simulator) -> Self {
        let found = {
            let mut pool = POOL.lock().expect("nothing panics with it");
            let at = pool.iter().rposition(|kept| kept.key == key);
            at.map(|at| pool.remove(at))
        };
        let (simulator, start) = match found {
            Some(PooledKept { mut simulator, start, .. }) => {
                simulator.restore(&start).unwrap_or_else(|e| panic!("{e}"));
                (simulator, start)
            }
            None => {
                let mut simulator = build();
                let start = simulator.save();
                (simulator, start)
            }
        };
        Self { simulator: Some(simulator), home: Some((key, start)) }
    }

    /// One that is not used again.
    pub fn alone(simulator: Simulator) -> Self {
        Self { simulator: Some(simulator), home: None }
    }
}

impl Deref for Pooled {
    type Target = Simulator;

    fn deref(&self) -> &Simulator {
        self.simulator.as_ref().expect("it is there until it is dropped")
    }
}

impl DerefMut for Pooled {
    fn deref_mut(&mut self) -> &mut Simulator {
        self.simulator.as_mut().expect("it is there until it is dropped")
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        let (Some(simulator), Some((key, start))) = (self.simulator.take(), self.home.take()) else { return };
        // After an error it may be in any state.
        if thread::panicking() {
            return;
        }
        let oldest = POOL.lock().ok().and_then(|mut pool| {
            pool.push(PooledKept { key, simulator, start });
            (pool.len() > MOST).then(|| pool.remove(0))
        });
        drop(oldest);
    }
}
