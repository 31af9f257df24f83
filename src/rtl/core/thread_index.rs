//! Thread index table: x, y and z within the block of every thread a block can have here.
//!
//! ```text
//!  block_dim_x, _y, _z --->+--------+ lanes x +------+
//!                          | walker |-------->| rows |--> x, y, z (lanes x 10 bits, the cycle after a read; z has 6 bits)
//!  warp, beat ------------>|        |  index  |      |
//!  read_enable ----------->|        |         |      |
//!                          +--------+---------+------+--> filled
//! ```
//!
//! Contract: the table depends on the block's dimensions alone, so all blocks of a kernel share it. Whenever the
//! dimensions differ from those it was made for, the walker fills it anew, one row (the threads of one beat) a cycle, x
//! fastest, then y, then z; `filled` is low meanwhile. A dimension of 0 counts as 1. The row of `warp` and `beat` shows
//! in the cycle after `read_enable`, and until the next one.
//!
//! The walker has an index for each lane, and adds the same step to all of them, as numbers whose digits are x, y and z:
//! one addition is the longest path. It begins with all lanes at thread 0 and a step of 1, which it doubles until it is
//! a row: in cycle `j` lanes with bit `j` in their number take it, so that each is then at the thread of its own number.
//! These cycles are not seen: a warp reads no sooner than [`FIRST_READ`] cycles after `filled`, and so many of the last
//! rows are still written then (asserted: no read before the last one; 32 lanes need one cycle more).
//!
//! Testbench: `testbenches/thread_index/`; tests: `tests/core/thread_index.rs`, `tests/core/control.rs`.

use super::{config::CoreParams, ports::BlockDim};
use blocks::any_of;
use hdl::{self, Builder, Module, Signal, concat, index_width, mux, params, ports};

/// Bits of a thread index along x and y.
pub const INDEX_BITS: u32 = 10;
const Z_BITS: u32 = 6;
const THREAD: u32 = 2 * INDEX_BITS + Z_BITS;

/// Cycles from `filled` to the first read: its warp starts, fetches and decodes an instruction, and issues it.
pub const FIRST_READ: u32 = 4;

ports! {
    /// Ports of a [`thread_index`].
    pub struct ThreadIndexPorts(p: &CoreParams) of ThreadIndex {
        /// Dimensions of the kernel's blocks.
        in block_dim: bundle BlockDim(&()),
        /// The table is that of these dimensions.
        out filled: 1,
        /// Warp of the row that is read, by its number in its block.
        in warp: p.core_warp_bits(),
        /// Beat of that row.
        in beat: p.beat_bits(),
        /// It is read.
        in read_enable: 1,
        /// Index along x of the thread of each lane.
        out x: p.lanes * INDEX_BITS,
        /// Along y.
        out y: p.lanes * INDEX_BITS,
        /// Along z.
        out z: p.lanes * INDEX_BITS,
    }
}

/// The table.
pub fn thread_index(p: &CoreParams) -> Module {
    let m = Builder::new("thread_index", params! { warps: p.core_warps(), lanes: p.lanes });
    m.doc(
        "Thread index within the block, per warp and beat; filled by a walker whenever the block's dimensions change.",
    );
    let io = ThreadIndexPorts::new(&m, p);
    let BlockDim { x, y, z } = io.block_dim();
    let wanted = [x, y, z];
    let made_for = [("x", 11), ("y", 11), ("z", 7)].map(|(axis, width)| m.register(("dim", axis), width, 0));
    let differs: Vec<_> = wanted.iter().zip(made_for).map(|(w, d)| w.ne(d)).collect();
    let differs = m.wire("differs", any_of(&differs));

    let rows = m.memory("rows", (p.core_warps() * p.beats()) as usize, p.lanes * THREAD);
    let (walked, doublings) = (1 << rows.address_width(), p.lanes.ilog2());
    let cycle = m.register("cycle", index_width((walked + doublings) as usize), 0);
    let (filled, walking) = (m.register("filled_now", 1, 0), m.register("walking", 1, 1));
    let at = |cycles: u32| cycle.eq(cycles);

    m.comment("The step and the lanes: numbers of three digits. The step begins with 1, here of a block of 0 x 0 x 0.");
    let radix = [("x", made_for[0]), ("y", made_for[1])]
        .map(|(axis, dim)| m.wire(("radix", axis), dim.bits(1, INDEX_BITS).join(dim.bit(0) | dim.is_zero())));
    let index = |name: &str, [x, y, z]: [u64; 3]| {
        [("x", INDEX_BITS, x), ("y", INDEX_BITS, y), ("z", Z_BITS, z)]
            .map(|(axis, width, reset)| m.register((name, axis), width, reset))
    };
    let step = index("step", [0, 0, 1]);
    let lanes: Vec<_> = (0..p.lanes).map(|lane| index(&format!("lane{lane}"), [0; 3])).collect();
    let set = |index: [Signal<'_>; 3], to: [Signal<'_>; 3]| index.iter().zip(to).for_each(|(i, to)| m.set(*i, to));

    let in_rows = m.wire("in_rows", cycle.ge(doublings));
    let doubling: Vec<_> = (0..doublings).map(|j| m.wire(("doubling", j), at(j))).collect();
    let twice = sum("twice", step, step, radix);
    let next: Vec<_> = lanes.iter().enumerate().map(|(l, lane)| sum(&format!("next{l}"), *lane, step, radix)).collect();
    m.when(walking, || {
        m.set(cycle, cycle + 1);
        m.when(!in_rows, || set(step, twice));
        m.when(in_rows, || {
            let row = (cycle - u64::from(doublings)).bits(0, rows.address_width());
            rows.write(row, hdl::row(lanes.iter().map(|[x, y, z]| concat(&[*z, *y, *x]))));
        });
        for (number, (lane, next)) in lanes.iter().zip(next).enumerate() {
            let of_bits = (0..doublings).filter(|j| number >> j & 1 == 1).map(|j| doubling[j as usize]);
            let moves = any_of(&of_bits.chain([in_rows]).collect::<Vec<_>>());
            m.when(moves, || set(*lane, next));
        }
        m.when(at(walked - 1 + doublings.saturating_sub(FIRST_READ)), || m.set(filled, 1));
        m.when(at(walked - 1 + doublings), || m.set(walking, 0));
    });
    m.when(differs, || {
        set(made_for, wanted);
        let [long, wide] = [x, y].map(|dim| dim.bits(1, INDEX_BITS).any());
        set(step, [long.extend(INDEX_BITS), (!long & wide).extend(INDEX_BITS), (!(long | wide)).extend(Z_BITS)]);
        lanes.iter().flatten().for_each(|digit| m.set(*digit, 0));
        m.set(cycle, 0);
        m.set(filled, 0);
        m.set(walking, 1);
    });
    io.filled(filled & !differs);

    let (warp, beat, read) = (io.warp(), io.beat(), io.read_enable());
    m.always("no warp reads before the last row is written", !(read & filled & walking));
    p.one_beat(&m, read, beat);
    let shown = rows.read_sync("shown", p.row(&[warp], beat), read);
    let axis = |lo: u32, width: u32| hdl::row(shown.parts(THREAD).iter().map(|t| t.bits(lo, width).extend(INDEX_BITS)));
    io.x(axis(0, INDEX_BITS));
    io.y(axis(INDEX_BITS, INDEX_BITS));
    io.z(axis(2 * INDEX_BITS, Z_BITS));
    m.finish()
}

/// The sum of two indices: what is too much for a digit carries into the next, from x to y to z. Later digits are there
/// with and without a carry, and it chooses.
fn sum<'m>(name: &str, a: [Signal<'m>; 3], b: [Signal<'m>; 3], radix: [Signal<'m>; 2]) -> [Signal<'m>; 3] {
    let m = a[0].builder();
    // The digit, and its carry.
    let digit = |axis: usize, carry: u64| {
        let [a, b] = [a[axis], b[axis]].map(|digit| digit.extend(INDEX_BITS + 1));
        let of = format!("{name}_{}{}", ["x", "y"][axis], ["", "_and_one"][carry as usize]);
        let total = m.wire(&of, if carry == 0 { a + b } else { a + b + carry });
        let carries = m.wire((&of, "carries"), total.ge(radix[axis]));
        (mux(carries, total - radix[axis], total).bits(0, INDEX_BITS), carries)
    };
    let (x, into_y) = digit(0, 0);
    let [(y, without), (y_and_one, with)] = [digit(1, 0), digit(1, 1)];
    let into_z = mux(into_y, with, without);
    let z = a[2] + b[2];
    [x, mux(into_y, y_and_one, y), mux(into_z, z + 1, z)]
}
