//! A queue with its inputs.

use crate::blocks::{self, FifoParams};
use hdl::{Builder, Child, Signal};

/// A queue of so many words: `data` enters with `push`.
pub(super) fn queue<'m>(m: &'m Builder, name: &str, depth: usize, push: Signal<'m>, data: Signal<'m>) -> Child<'m> {
    let queue = m.instance(name, &blocks::fifo(FifoParams { depth, width: data.width(), registered: false }));
    queue.drive("push", push);
    queue.drive("push_data", data);
    queue
}
