//! Small relatives of the papers' chips run a kernel to its end in step with their Verilog in Verilator, their cores as there: every output of
//! every tile in every cycle. `cargo bench --bench chips_lockstep` prints a line for each and fails when one is unequal. Words behind `--` choose those
//! whose names contain one. `tests/chip_lockstep.rs` does so with smaller chips and the one of Kim's chapter 2.

#[path = "../tests/support/chip_beside_verilog.rs"]
mod chip_beside_verilog;
#[path = "../tests/support/matrix.rs"]
mod matrix;

use std::{env, time::Instant};

/// Configuration, overrides, kernel and its size. The network of chapter 4 is behavioural: routers stand in its place.
const CHIPS: [(&str, &[&str], &str, u32); 9] = [
    ("small-l2", &[], "transpose", 40),
    ("small-l1", &["cache.l2.bytes=4096", "core.memory_order=line"], "bfs", 60),
    ("small-ch3", &[], "reduction", 600),
    ("small-ch6", &["memory.write_reply=none"], "bfs", 60),
    ("small-stream", &[], "transpose", 40),
    ("small-kim-ch4", &["network.model=routers"], "saxpy", 600),
    ("small-kim-ch5", &["memory.partial_write=read-modify-write"], "vector_add", 600),
    ("small-kim-ch2", &["core.scheduler=laws", "core.throttle.kind=thu", "core.lanes=32"], "rowwalk", 256),
    ("small-kim-ch2", &["core.scheduler=gto", "core.throttle.kind=ccws"], "rowwalk", 256),
];

fn main() {
    let words: Vec<_> = env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    println!("{:<16} {:<16} {:>8} {:>10} {:>7}", "", "kernel", "cycles", "bits each", "time");
    for (name, overrides, kernel, size) in CHIPS {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        let start = Instant::now();
        // What is unequal is a panic, with the first difference.
        let agreement = chip_beside_verilog::agree(&format!("{name}.toml"), overrides, kernel, size);
        let seconds = start.elapsed().as_secs_f64();
        let (cycles, bits) = (agreement.cycles, agreement.output_bits);
        println!("{name:<16} {kernel:<16} {cycles:>8} {bits:>10} {seconds:>5.0} s  equal  {}", overrides.join(" "));
    }
}
