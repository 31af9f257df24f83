//! Thread index table: x, y and z within the block of every thread a block can have here.
//!
//! ```text
//!  block_dim_x, _y, _z --->+--------+------+
//!  warp, beat ------------>| walker | rows |--> x, y, z (lanes x 10 bits, the cycle after a read; z has 6 bits)
//!  read_enable ----------->|        |      |
//!                          +--------+------+--> filled
//! ```
//!
//! Contract: the table depends on the block's dimensions alone, so all blocks of a kernel share it. Whenever the
//! dimensions differ from those it was made for, the walker fills it anew, one row (the threads of one beat) a cycle, x
//! fastest, then y, then z; `filled` is low meanwhile. A dimension of 0 counts as 1. The row of `warp` and `beat` shows
//! in the cycle after `read_enable`, and until the next one.
//!
//! Testbench: `testbenches/thread_index/`; tests: `tests/core/control.rs`.

use super::{params::CoreParams, ports::BlockDim};
use hdl::{self, Builder, Bundle, Module, Signal, concat, mux, params};

/// Bits of a thread index along x and y.
pub const INDEX_BITS: u32 = 10;
const Z_BITS: u32 = 6;
const THREAD: u32 = 2 * INDEX_BITS + Z_BITS;

/// The table.
pub fn thread_index(p: &CoreParams) -> Module {
    let m = Builder::new("thread_index", params! { w: p.core_warps(), l: p.lanes });
    m.doc(
        "Thread index within the block, per warp and beat; filled by a walker whenever the block's dimensions change.",
    );
    let BlockDim { x, y, z } = BlockDim::inputs(&m, "block_dim", &());
    let wanted = [x, y, z];
    let made_for = [("x", 11), ("y", 11), ("z", 7)].map(|(axis, width)| m.register(("dim", axis), width, 0));
    let rows = m.memory("rows", (p.core_warps() * p.beats()) as usize, p.lanes * THREAD);
    let (row, filled) = (m.register("row", rows.address_width(), 0), m.register("filled_now", 1, 0));
    let at =
        [("x", INDEX_BITS), ("y", INDEX_BITS), ("z", Z_BITS)].map(|(axis, width)| m.register(("at", axis), width, 0));

    let differs: Vec<_> = wanted.iter().zip(made_for).map(|(w, d)| w.ne(d)).collect();
    let differs = m.wire("differs", crate::blocks::any_of(&differs));
    let mut threads = vec![];
    let mut here = at;
    for lane in 0..p.lanes {
        threads.push(concat(&[here[2], here[1], here[0]]));
        here = following(&m, lane, here, made_for);
    }
    m.when(!filled, || {
        rows.write(row, hdl::row(threads));
        m.set(row, row + 1);
        at.iter().zip(here).for_each(|(register, next)| m.set(*register, next));
        m.when(row.all(), || m.set(filled, 1));
    });
    m.when(differs, || {
        made_for.iter().zip(wanted).for_each(|(register, value)| m.set(*register, value));
        at.iter().for_each(|register| m.set(*register, 0));
        m.set(row, 0);
        m.set(filled, 0);
    });
    m.output_of("filled", filled & !differs);
    let (warp, beat) = (m.input("warp", p.core_warp_bits()), m.input("beat", p.beat_bits()));
    let read = m.input("read_enable", 1);
    p.one_beat(&m, read, beat);
    let shown = rows.read_sync("shown", p.row(&[warp], beat), read);
    let axis = |lo: u32, width: u32| hdl::row(shown.parts(THREAD).iter().map(|t| t.bits(lo, width).extend(INDEX_BITS)));
    m.output_of("x", axis(0, INDEX_BITS));
    m.output_of("y", axis(INDEX_BITS, INDEX_BITS));
    m.output_of("z", axis(2 * INDEX_BITS, Z_BITS));
    m.finish()
}

/// The index after `here`: x first, carrying into y, then z.
fn following<'m>(m: &'m Builder, lane: u32, here: [Signal<'m>; 3], dims: [Signal<'m>; 3]) -> [Signal<'m>; 3] {
    let [x, y, z] = here;
    let ends = |value: Signal<'m>, dim: Signal<'m>| (value.extend(dim.width()) + 1).ge(dim);
    let row_ends = m.wire(("row_ends", lane), ends(x, dims[0]));
    let plane_ends = m.wire(("plane_ends", lane), row_ends & ends(y, dims[1]));
    let (zx, zy) = (m.lit(INDEX_BITS, 0), m.lit(INDEX_BITS, 0));
    [
        m.wire(("next_x", lane), mux(row_ends, zx, x + 1)),
        m.wire(("next_y", lane), mux(plane_ends, zy, mux(row_ends, y + 1, y))),
        m.wire(("next_z", lane), mux(plane_ends, z + 1, z)),
    ]
}
