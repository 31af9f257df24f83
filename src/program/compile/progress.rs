//! What a compilation is at, for whoever waits for it, and how much it has done.
//!
//! A kernel is compiled on the thread that asks for it, so who watches is a matter of that thread.

use super::ir::KernelCode;
use std::{
    cell::{Cell, RefCell},
    fmt,
    io::{IsTerminal, stderr},
    time::{Duration, Instant},
};

/// The pass that a compilation begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage<'a> {
    /// Name of the kernel.
    pub kernel: &'a str,
    /// What is done now.
    pub pass: &'static str,
    /// Instructions that the kernel has so far; of PTX, before there are others.
    pub instructions: usize,
    /// Time since the compilation began.
    pub elapsed: Duration,
}

impl fmt::Display for Stage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kernel, pass, instructions, elapsed } = self;
        write!(f, "compiling kernel `{kernel}`: {pass}, {instructions} instructions, {:.0} s", elapsed.as_secs_f64())
    }
}

/// Does `work`; where a compilation in it takes longer than a second, standard error tells its passes, if that is a terminal.
pub fn on_terminal<R>(work: impl FnOnce() -> R) -> R {
    if !stderr().is_terminal() {
        return work();
    }
    let tell = |stage: Stage| {
        if stage.elapsed > Duration::from_secs(1) {
            eprintln!("{stage}");
        }
    };
    watch(tell, work)
}

type Watcher = Box<dyn FnMut(Stage)>;

thread_local! {
    static WATCHER: RefCell<Option<Watcher>> = const { RefCell::new(None) };
}

/// Does `work`, and calls `watcher` at every pass of a compilation in it, on this thread.
pub fn watch<R>(watcher: impl FnMut(Stage) + 'static, work: impl FnOnce() -> R) -> R {
    let _restored = Restored(WATCHER.replace(Some(Box::new(watcher))));
    work()
}

/// Puts back who watched before, also when the work panics.
struct Restored(Option<Watcher>);

impl Drop for Restored {
    fn drop(&mut self) {
        WATCHER.set(self.0.take());
    }
}

/// One compilation.
pub(crate) struct Progress {
    kernel: String,
    begun: Instant,
    visits: Cell<u64>,
    passes: RefCell<Vec<(&'static str, u64)>>,
}

impl Default for Progress {
    fn default() -> Self {
        Self::of("")
    }
}

impl Progress {
    /// Of a kernel of this name.
    pub fn of(kernel: &str) -> Self {
        let (visits, passes) = (Cell::new(0), RefCell::new(vec![]));
        Self { kernel: kernel.into(), begun: Instant::now(), visits, passes }
    }

    /// A pass over so many instructions begins.
    pub fn begin(&self, pass: &'static str, instructions: usize) {
        self.settle();
        self.passes.borrow_mut().push((pass, 0));
        WATCHER.with(|watcher| {
            // A watcher that compiles itself is not told of that.
            if let Ok(mut watcher) = watcher.try_borrow_mut()
                && let Some(watcher) = &mut *watcher
            {
                watcher(Stage { kernel: &self.kernel, pass, instructions, elapsed: self.begun.elapsed() });
            }
        });
    }

    /// What was visited is the last pass's.
    fn settle(&self) {
        let visits = self.visits.take();
        if let Some((_, last)) = self.passes.borrow_mut().last_mut() {
            *last += visits;
        }
    }

    /// A pass over code begins.
    pub fn pass(&self, pass: &'static str, code: &KernelCode) {
        self.begin(pass, code.blocks.iter().map(|block| block.ops.len() + 1).sum());
    }

    /// The present pass has looked at so many operations, values or blocks.
    pub fn visited(&self, count: u64) {
        self.visits.set(self.visits.get() + count);
    }

    /// What each pass has looked at; passes of one name together.
    #[cfg(test)]
    pub fn work(&self) -> Vec<(&'static str, u64)> {
        self.settle();
        let mut work: Vec<(&'static str, u64)> = vec![];
        for &(pass, visits) in &*self.passes.borrow() {
            match work.iter_mut().find(|(other, _)| *other == pass) {
                Some((_, sum)) => *sum += visits,
                None => work.push((pass, visits)),
            }
        }
        work
    }
}
