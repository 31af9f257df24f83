//! A running design as bytes.
//!
//! Format, all numbers 64-bit little-endian: magic, fingerprint of the design and its clocks, time in ticks (with one
//! clock: the cycle), number of register words and the words, number of other words and the words, number of tables and
//! per table its length and pairs (value, count).

use super::{
    clocks::Schedule,
    error::SimError,
    state::{Sites, State},
};
use netlist::Design;
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// A saved state, as bytes that may be stored and restored in another run of the same version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshot(Vec<u8>);

const MAGIC: u64 = u64::from_le_bytes(*b"wmesh-s2");

impl Snapshot {
    /// To be written to a file.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// From a file; checked when it is restored.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    /// Wires are not saved: they follow from the rest.
    pub(super) fn save(fingerprint: u64, time: u64, state: &State, sites: &Sites) -> Self {
        let mut words = vec![MAGIC, fingerprint, time, state.registers.len() as u64];
        words.extend_from_slice(&state.registers);
        words.push(state.storage.len() as u64);
        words.extend(state.kept(sites));
        words.push(state.tables.len() as u64);
        for table in &state.tables {
            words.push(table.len() as u64);
            words.extend(table.iter().flat_map(|(&value, &count)| [value, count]));
        }
        Self(words.into_iter().flat_map(u64::to_le_bytes).collect())
    }

    /// Puts the saved values into `state` and returns the saved time; `state` is unchanged on an error.
    pub(super) fn restore(&self, fingerprint: u64, state: &mut State) -> Result<u64, SimError> {
        let damaged = || SimError::Snapshot("the snapshot is damaged".into());
        let (chunks, tail) = self.0.as_chunks::<8>();
        let mut reader = Reader { words: chunks.iter().map(|&c| u64::from_le_bytes(c)).collect(), at: 0 };
        if !tail.is_empty() || reader.one() != Some(MAGIC) {
            return Err(SimError::Snapshot("this is not a snapshot of this version".into()));
        }
        if reader.one() != Some(fingerprint) {
            return Err(SimError::Snapshot("the snapshot is of another design".into()));
        }
        let time = reader.one().ok_or_else(damaged)?;
        let registers = reader.counted(1).filter(|r| r.len() == state.registers.len()).ok_or_else(damaged)?;
        let storage = reader.counted(1).filter(|r| r.len() == state.storage.len()).ok_or_else(damaged)?;
        let count = reader.one().filter(|&n| n == state.tables.len() as u64).ok_or_else(damaged)?;
        let mut tables = vec![];
        for _ in 0..count {
            let pairs = reader.counted(2).ok_or_else(damaged)?;
            tables.push(pairs.chunks(2).map(|pair| (pair[0], pair[1])).collect::<BTreeMap<_, _>>());
        }
        (state.registers, state.storage, state.tables) = (registers, storage, tables);
        Ok(time)
    }
}

struct Reader {
    words: Vec<u64>,
    at: usize,
}

impl Reader {
    fn one(&mut self) -> Option<u64> {
        self.at += 1;
        self.words.get(self.at - 1).copied()
    }

    /// A number of items, and the items of `size` words each.
    fn counted(&mut self, size: usize) -> Option<Vec<u64>> {
        let words = usize::try_from(self.one()?).ok()?.checked_mul(size)?;
        let end = self.at.checked_add(words)?;
        let out = self.words.get(self.at..end)?.to_vec();
        self.at = end;
        Some(out)
    }
}

/// A number that differs between designs whose state means different things.
pub(super) fn fingerprint(design: &Design, clocks: &Schedule) -> u64 {
    let mut hash = DefaultHasher::new();
    clocks.fingerprint().hash(&mut hash);
    for about in &design.modules {
        let m = &about.module;
        m.name.hash(&mut hash);
        for net in &m.nets {
            (&net.name, net.width, &net.kind, net.domain).hash(&mut hash);
        }
        for expr in &m.exprs {
            (&expr.op, expr.width).hash(&mut hash);
        }
        m.drivers.hash(&mut hash);
        for memory in &m.memories {
            (&memory.name, memory.depth, memory.width, memory.domain).hash(&mut hash);
        }
        for child in &m.instances {
            (&child.name, design.index_of(&child.module), &child.inputs, &child.domains).hash(&mut hash);
        }
        for probe in &m.probes {
            (&probe.name, probe.kind, probe.enable, probe.value, probe.domain).hash(&mut hash);
        }
    }
    hash.finish()
}
