//! A queue that shows a word in the cycle in which it comes when nothing is before it.

use blocks::{Fifo, FifoParams, fifo};
use hdl::{Builder, Signal, mux};

/// The oldest word.
#[derive(Clone, Copy)]
pub(super) struct Head<'m> {
    pub valid: Signal<'m>,
    pub word: Signal<'m>,
    /// Words that are stored, without one that comes.
    pub stored: Signal<'m>,
}

/// A queue of `places` words, an instance called `name` and what is around it. `pop` takes the word that is shown.
pub(super) fn passing_queue<'m>(
    m: &'m Builder,
    name: &str,
    places: usize,
    (valid, word): (Signal<'m>, Signal<'m>),
    pop: Signal<'m>,
) -> Head<'m> {
    let queue = fifo(FifoParams { depth: places, width: word.width(), registered: false });
    let queue = Fifo(m.instance(name, &queue));
    let stored = queue.valid();
    queue.push(valid & (stored | !pop));
    queue.push_data(word);
    queue.pop(pop & stored);
    Head { valid: stored | valid, word: mux(stored, queue.data(), word), stored: queue.count() }
}
