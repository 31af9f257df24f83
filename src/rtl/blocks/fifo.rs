//! Synchronous first-in first-out queue of any depth and width, show-ahead.
//!
//! ```text
//!                      +------------------------+
//!  push          (1) ->| tail -> memory -> head |-> valid (1): data is the oldest word
//!  push_data (width) ->|                        |-> data  (width)
//!  pop           (1) ->| count                  |-> full  (1)
//!                      |                        |-> count (index_width(depth + 1))
//!                      +------------------------+
//! ```
//!
//! Contract: a word pushed in cycle t is shown, when the queue was empty, in cycle t + 1; one push and one pop a cycle.
//! `pop` takes the word that is shown. After reset the queue is empty. Never: `pop` without `valid`, `push` while
//! `full` without `pop` (asserted). With [`FifoParams::registered`] every output is a register: the oldest word sits in
//! a register in front of a memory of `depth - 1` words; timing and contract are the same.
//!
//! Testbenches: `testbenches/fifo/`, `testbenches/fifo_registered/`.

use hdl::{Builder, Module, Signal, index_width, mux, params, ports};

/// Parameters of a [`fifo`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FifoParams {
    /// Words that fit, 1 and up.
    pub depth: usize,
    /// Bits per word, 1 and up.
    pub width: u32,
    /// Every output is a register (for a tile's outputs).
    pub registered: bool,
}

ports! {
    /// Ports of a [`fifo()`].
    pub struct FifoPorts(p: &FifoParams) of Fifo {
        /// Puts a word in.
        in push: 1,
        /// The word that is put in.
        in push_data: p.width.max(1),
        /// Takes the word that is shown.
        in pop: 1,
        /// A word is shown.
        out valid: 1,
        /// The oldest word.
        out data: p.width.max(1),
        /// There is no free place.
        out full: 1,
        /// Words in the queue.
        out count: index_width(p.depth.max(1) + 1),
    }
}

/// A queue; see the [module documentation](self).
pub fn fifo(params: FifoParams) -> Module {
    let FifoParams { depth, width, registered } = params;
    let m = Builder::new(if registered { "fifo_registered" } else { "fifo" }, params! { depth, width });
    m.doc("Synchronous first-in first-out queue, show-ahead.");
    m.require(depth >= 1, "fifo: depth = 0 words, at least 1 is needed");
    m.require(width >= 1, "fifo: width = 0 bits, at least 1 is needed");
    let (depth, width) = (depth.max(1), width.max(1));
    let io = FifoPorts::new(&m, &params);
    let (push, push_data, pop) = (io.push(), io.push_data(), io.pop());

    let count = m.register("used", index_width(depth + 1), 0);
    m.when(push ^ pop, || m.set(count, mux(push, count + 1, count - 1)));
    let (valid, full, data);
    if registered || depth == 1 {
        (valid, full) = (m.register("shown", 1, 0), m.register("filled", 1, 0));
        m.when(push ^ pop, || {
            m.set(valid, push | count.ne(1));
            m.set(full, push & count.eq(depth - 1));
        });
        data = m.register_payload("oldest", width);
        m.comment("The next word goes straight to the output register when nothing waits before it.");
        let free = m.wire("free", pop | !valid);
        if depth == 1 {
            m.when(push, || m.set(data, push_data));
        } else {
            let waiting = m.wire("waiting", count.gt(1));
            let next = storage(&m, depth - 1, width, push & (waiting | !free), push_data, free & waiting);
            m.when(free & (waiting | push), || m.set(data, mux(waiting, next, push_data)));
        }
    } else {
        (valid, full) = (count.any(), count.eq(depth));
        data = storage(&m, depth, width, push, push_data, pop);
    }
    io.valid(valid);
    io.data(data);
    io.full(full);
    io.count(count);
    m.always("pop takes a valid word", !pop | valid);
    m.always("push finds a free place", !push | !full | pop);
    m.finish()
}

/// Circular memory of `depth` words: writes at the tail with `push`, shows the word at the head, moves the head with `pop`.
fn storage<'m>(
    m: &'m Builder,
    depth: usize,
    width: u32,
    push: Signal<'m>,
    push_data: Signal<'m>,
    pop: Signal<'m>,
) -> Signal<'m> {
    if depth == 1 {
        let word = m.register_payload("word", width);
        m.when(push, || m.set(word, push_data));
        return word;
    }
    let words = m.memory("words", depth, width);
    let pointer = |name: &str, step: Signal<'m>| {
        let at = m.register(name, words.address_width(), 0);
        let next = if depth.is_power_of_two() { at + 1 } else { mux(at.eq(depth - 1), 0, at + 1) };
        m.when(step, || m.set(at, next));
        at
    };
    let (head, tail) = (pointer("head", pop), pointer("tail", push));
    m.when(push, || words.write(tail, push_data));
    words.read(head)
}
