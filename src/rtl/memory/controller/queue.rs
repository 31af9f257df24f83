//! A queue with its inputs.

use blocks::{self, Fifo, FifoParams};
use hdl::{Builder, Signal};

/// A queue of so many words: `data` enters with `push`.
pub(super) fn queue<'m>(m: &'m Builder, name: &str, depth: usize, push: Signal<'m>, data: Signal<'m>) -> Fifo<'m> {
    let queue = Fifo(m.instance(name, &blocks::fifo(FifoParams { depth, width: data.width(), registered: false })));
    queue.push(push);
    queue.push_data(data);
    queue
}
