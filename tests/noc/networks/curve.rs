//! Latency under load against BookSim 2: uniform random traffic on a 6 x 6 mesh. `cargo bench --bench booksim` compares
//! all loads.

use crate::{
    campaign::part_or_all,
    matrix::options,
    uniform::{Loaded, booksim, knee, zero_load},
};

/// Contention (latency less zero-load latency) is that of BookSim within 5 percent or 0.3 cycles, the larger.
#[test]
fn contention_is_that_of_booksim() {
    let table = booksim();
    let all = [(2, [(1, 0.1), (1, 0.3), (4, 0.3)]), (4, [(1, 0.4), (4, 0.2), (4, 0.4)])];
    for (vcs, points) in all.into_iter().take(part_or_all(1, 2)) {
        let mut network = Loaded::like_booksim(vcs, &options());
        for (flits, offered) in points {
            let line = table.iter().find(|l| (l.vcs, l.flits, l.offered) == (vcs, flits, offered));
            let theirs = line.and_then(|line| line.contention).expect("measured");
            let ours = network.run(flits, offered, 20_000, 1, 10_000).expect("below saturation").contention;
            let allowed = (0.05 * theirs).max(0.3);
            let what = format!("{vcs} VCs, {flits} flits, load {offered}");
            assert!((ours - theirs).abs() <= allowed, "{what}: {ours:.3}, BookSim {theirs:.3}");
        }
    }
}

/// The load at which latency is three times that without traffic is that of BookSim within 3 percent.
#[test]
fn latency_triples_where_it_does_in_booksim() {
    let mut network = Loaded::like_booksim(2, &options());
    for flits in [4, 1].into_iter().take(part_or_all(1, 2)) {
        let of_this = booksim().into_iter().filter(|line| (line.vcs, line.flits) == (2, flits));
        let points: Vec<_> = of_this.filter_map(|line| Some((line.offered, line.contention?))).collect();
        let theirs = knee(flits, &points).expect("the table goes beyond");
        let mut above = |share: f64| {
            let measured = network.run(flits, share * theirs, 20_000, 1, 20_000);
            measured.is_none_or(|measured| measured.contention > 2.0 * zero_load(flits))
        };
        assert!(!above(0.97), "{flits} flits: before {theirs}");
        assert!(above(1.03), "{flits} flits: after {theirs}");
    }
}
