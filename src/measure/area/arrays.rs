//! What the arrays of cores and memory controllers have done, from counters of the hardware, and the energy of it.
//!
//! ```text
//!   probes (register_reads, bank_writes, ...) --> reads, writes of each array
//!   parameters of core and controller         --> Array: entries x bits --array model--> energy of an access
//! ```
//!
//! A read is one that an instruction needs, though the hardware as it is written reads all three ports of the register
//! file, and all banks of the shared memory, in cycles in which nobody wants their words: an array is taken to be
//! enabled only for who wants it. Energies are those of [`Array`], which knows no wires between sub-arrays, so those of
//! large arrays are lower bounds.

use super::{
    Array, ArrayTechnology,
    caches::{self, CachePart, PartAccesses},
};
use hdl::Statistic;
use rtl::{
    cache::{CacheParams, WriteHit, block, miss::arrays::ArrayAccesses},
    chip::Chip,
    core::{
        front_end,
        memory::{memory_port, shared_memory},
        operands, register_file,
        units::UnitMemory,
    },
    memory::controller,
};

/// Dynamic energy that is not counted, in words.
pub const NOT_COUNTED: [&str; 2] = ["control logic", "data in registers and small memories"];

/// The reads and writes of all arrays of a kind in a chip.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayUse {
    /// Which.
    pub name: String,
    /// One of them.
    pub array: Array,
    /// Copies of it, each with a read port: a write goes to all of them, a read to one.
    pub copies: u32,
    /// Words read.
    pub reads: u64,
    /// Words written.
    pub writes: u64,
}

impl ArrayUse {
    /// Dynamic energy of a read and of a write, pJ.
    pub fn access_pj(&self, technology: &ArrayTechnology) -> [f64; 2] {
        let access = self.array.cost(technology).energy_pj;
        [access, f64::from(self.copies) * access]
    }

    /// Dynamic energy, J.
    pub fn energy_j(&self, technology: &ArrayTechnology) -> f64 {
        let [read, write] = self.access_pj(technology);
        (self.reads as f64 * read + self.writes as f64 * write) * 1e-12
    }

    /// All of `chip`. `total`: of a statistic over all instances.
    pub fn of_chip(chip: &Chip, total: impl Fn(Statistic) -> u64) -> Vec<ArrayUse> {
        let (core, memory) = (chip.core(), chip.partition());
        let one = |name, array, reads, writes| ArrayUse { name: String::from(name), array, copies: 1, reads, writes };
        let rows = core.part().warps * core.registers * core.beats();
        let (lines, bursts) = (total(memory_port::READ_REQUESTS), total(controller::BURSTS));
        let line = core.protocol().data_bits();
        // Write, tag, source; write, row, bank, column; masks; a line.
        let who = 1 + memory.tag_bits + memory.map.node_bits();
        let command = 1 + memory.map.row_bits() + memory.map.bank_bits() + memory.map.column_bits();
        let (requests, replies) = (memory.queue_entries as u32, memory.reply_entries as u32);
        let fetches = total(front_end::FETCHES);
        let instructions = one("instruction memory", Array::ram(core.program_words, 64), fetches, 0);
        let instructions = core.instruction_cache.is_none().then_some(instructions);
        let mut arrays = vec![
            ArrayUse {
                name: "register file".into(),
                array: Array::ram(rows, core.lanes * 32),
                copies: 3,
                reads: total(operands::REGISTER_READS),
                writes: total(register_file::WRITES),
            },
            one(
                "shared memory",
                Array::ram(core.shared_bytes / 4 / core.banks(), 32),
                total(shared_memory::BANK_READS),
                total(shared_memory::BANK_WRITES),
            ),
            // A line for each read that is outstanding: written by its reply, then read once.
            one("lines of loads", Array::ram(core.tags(), line), lines, lines),
            one(
                "request queue",
                Array::ram(requests, command + core.protocol().words() + 4 + who + line),
                bursts,
                total(controller::REQUESTS),
            ),
            one("reply queue", Array::ram(replies, who + line), bursts, bursts),
        ];
        for unit in core.units() {
            let beats = u64::from(core.beats()) * total(unit.instructions());
            let memories = unit.memories(&core).into_iter();
            arrays.extend(memories.map(|UnitMemory { holds, rows, width, reads }| ArrayUse {
                name: holds,
                array: Array::ram(rows, width),
                copies: 1,
                reads: reads * beats,
                writes: beats,
            }));
        }
        let after_memories = arrays.iter().position(|array| array.name == "lines of loads").unwrap_or(0);
        arrays.splice(after_memories..after_memories, instructions);
        arrays
    }

    /// The arrays of the caches of one kind. `total`: of a statistic over these caches.
    ///
    /// Tags and order are read for each access and each fill, and written for each fill and each access that hits; a line is read for a read
    /// hit and a write-back, written by a fill and, unless it evicts, by a write hit. Miss entries are searched by each access and written by each
    /// primary miss, fields written and read by each miss. Accesses that are rejected and tried again count once, but
    /// where miss handling counts what it does with an array.
    pub fn of_cache(kind: &str, p: &CacheParams, total: impl Fn(Statistic) -> u64) -> Vec<ArrayUse> {
        let [reads, writes] = [block::READS, block::WRITES].map(&total);
        let [read_hits, write_hits] = [block::READ_HITS, block::WRITE_HITS].map(&total);
        let [fills, merged, write_backs] =
            [block::PRIMARY_MISSES, block::MERGED_MISSES, block::WRITE_BACKS].map(&total);
        let accesses = reads + writes;
        let in_place = if p.write_hit == WriteHit::Evict { 0 } else { write_hits };
        let used = |CachePart { name, array, accesses: of_part, .. }| {
            let (reads, writes) = match of_part {
                PartAccesses::Lines => (read_hits + write_backs, fills + in_place),
                PartAccesses::Misses => (fills + merged, fills + merged),
                PartAccesses::Other(ArrayAccesses::Searches) => (accesses, fills),
                PartAccesses::Other(ArrayAccesses::Fills) => (fills, fills),
                PartAccesses::Other(ArrayAccesses::Counted(reads, writes)) => (total(reads), total(writes)),
                PartAccesses::Other(ArrayAccesses::Tags) | PartAccesses::Unknown => {
                    (accesses + fills, fills + read_hits + write_hits)
                }
            };
            ArrayUse { name: format!("{kind} {name}"), array, copies: 1, reads, writes }
        };
        caches::parts(p).into_iter().map(used).collect()
    }
}
