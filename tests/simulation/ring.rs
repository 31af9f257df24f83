//! Any block as many tiles: a ring with shortcuts.

use warpmesh::{
    hdl::{Bits, Builder, Module, Signal, concat, params},
    netlist::{Design, elaborate},
};

/// Bits that a value is folded to or filled up to.
fn fitted(value: Signal<'_>, width: u32) -> Signal<'_> {
    let mut folded = value.resize(width.max(value.width()));
    while folded.width() > width {
        let high = folded.bits(width, folded.width() - width);
        folded = folded.bits(0, width) ^ high.resize(width.max(high.width())).bits(0, width);
    }
    folded
}

/// A tile around any block: what comes in is mixed with a state and feeds the block, what the block gives goes out in a
/// register; a wide word is only moved along.
pub fn tile(name: &str, inner: &Module) -> Module {
    let m = Builder::new("tile", params! { name });
    let (near, far, word) = (m.input("near", 64), m.input("far", 64), m.input("word", 96));
    let instance = m.instance("inner", inner);
    let state = m.register("state", 64, 0x1234);
    for (i, &port) in inner.inputs.iter().enumerate() {
        let port = inner.net(port);
        let mixed = concat(&[near ^ (state << (i as u64 % 13)), far, state]);
        instance.drive(&port.name, fitted(mixed, port.width));
    }
    let outputs: Vec<_> = inner.outputs.iter().map(|&port| fitted(instance.get(&inner.net(port).name), 64)).collect();
    let all = outputs.into_iter().fold(near ^ far, |all, one| (all << 1u64) ^ (all >> 63u64) ^ one);
    m.set(state, all);
    let kept = m.register_payload("kept", 96);
    let queue = m.memory("queue", 5, 96);
    m.when(near.bit(0), || m.set(kept, word));
    m.when(far.bit(1), || queue.write(near.bits(2, 3), kept));
    let shown = m.register_payload("shown", 96);
    m.when(near.bit(5), || m.set(shown, queue.read(far.bits(8, 3))));
    // What the other memory holds until this clock edge, often at the entry that it changes.
    let behind = m.memory("behind", 8, 96);
    m.when(far.bit(2), || behind.write(far.bits(3, 3), queue.read(near.bits(2, 3))));
    m.when(near.bit(6) & !near.bit(5), || m.set(shown, behind.read(far.bits(9, 3))));
    m.output_of("out", state);
    m.when(near.bit(7) & !far.bit(6), || m.set(shown, m.lit(96, 0xc0_ffee)));
    // Not moved alone: a reset makes bits of it.
    let plain = m.register_bits("plain", Bits::from_words(96, &[3, 5]));
    m.when(far.bit(7), || m.set(plain, concat(&[near.bits(0, 32), far])));
    // Parts of a word and whole ones, through two ports.
    let mixed = m.memory("mixed", 4, 96);
    m.when(near.bit(9), || mixed.write_masked(far.bits(0, 2), plain, near.bits(20, 12)));
    m.when(near.bit(10), || mixed.write(far.bits(1, 2), word));
    m.when(near.bit(11) & !near.bit(5), || m.set(shown, mixed.read(near.bits(12, 2))));
    m.output_of("word_out", shown);
    m.output_of("plain_out", plain);
    m.count("near_odd", near.bit(0));
    m.sum("near_sum", near.bit(1), near.bits(3, 9));
    m.histogram("near_low", near.bit(2), near.bits(1, 4));
    m.histogram("near_wide", near.bit(3), near.bits(7, 9));
    m.finish()
}

/// A ring with shortcuts of so many tiles of these kinds, in turn.
pub fn ring(tiles: &[Module], count: usize) -> Design {
    let m = Builder::new("ring", params! { count });
    let (seed, word) = (m.input("seed", 64), m.input("word", 96));
    let all: Vec<_> = (0..count).map(|i| m.tile(format!("tile{i}"), &tiles[i % tiles.len()])).collect();
    for (i, tile) in all.iter().enumerate() {
        let from = |distance: usize| all[(i + distance) % count];
        let near = if i % 5 == 0 { from(1).get("out") ^ seed } else { from(1).get("out") };
        tile.drive("near", near);
        let far = from(count / 2 + i % 3);
        // Parts of words that are only moved, some of them joined with others.
        tile.drive(
            "far",
            match i % 7 {
                3 => far.get("word_out").bits(17, 64),
                4 => concat(&[far.get("word_out").bits(0, 40), from(3).get("out").bits(5, 24)]),
                5 => far.get("word_out").bits(60, 36).resize(64),
                _ => far.get("out"),
            },
        );
        tile.drive(
            "word",
            match i % 5 {
                0 if i == 0 => word,
                1 => from(2).get("plain_out"),
                _ => from(2).get("word_out"),
            },
        );
    }
    m.output_of("y", all[0].get("out") ^ all[count / 2].get("out"));
    m.output_of("w", all[count - 1].get("word_out"));
    elaborate(&m.finish()).unwrap_or_else(|e| panic!("{e}"))
}
