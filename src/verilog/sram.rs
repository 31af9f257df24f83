//! Large memories as modules of their own, so that a user can bind the macro of a memory compiler to each shape.
//!
//! The module is behavioural: one write port (with a mask where the author writes with one) at the clock edge, and
//! asynchronous read ports. Ports: `clock`, `write_enable`, `write_address`, `write_data`, `write_mask`,
//! `read<i>_address`, `read<i>_data`.

use super::{
    macros::Macro,
    module,
    names::ModuleNames,
    terms::{Infix, Term, TermId, Terms},
};
use hdl::{params, *};

/// A memory of one module, seen as an instance of a memory module.
pub(super) struct Sram {
    depth: usize,
    width: u32,
    enable: TermId,
    address: TermId,
    data: TermId,
    mask: Option<(TermId, u32)>,
    /// The words that are read, a port each.
    pub(super) reads: Vec<TermId>,
    indices: Vec<TermId>,
}

/// Is this memory to be a module of its own? Only memories of at least `least` bits with one write port, as macros have it.
pub(super) fn wanted(module: &ModuleDef, memory: MemId, least: Option<u64>) -> bool {
    let about = &module.memories[memory.index()];
    let bits = about.depth as u64 * u64::from(about.width);
    let writers = module.writes.iter().filter(|w| w.memory == memory).count();
    least.is_some_and(|least| bits >= least) && writers == 1
}

impl Sram {
    /// Describes `memory`, which is [`wanted`].
    pub(super) fn of(module: &ModuleDef, memory: MemId, terms: &mut Terms<'_>) -> Self {
        let about = &module.memories[memory.index()];
        let port = module.writes.iter().find(|w| w.memory == memory).expect("a wanted memory has one write port");
        let (address, guard) = terms.address(memory, port.address);
        let mut enable = terms.of(port.enable);
        if let Some(guard) = guard {
            enable = terms.gate(Infix::And, guard, enable);
        }
        let mask = port.mask.map(|m| terms.of(m)).map(|m| (m, terms.width(m)));
        let data = terms.of(port.data);
        Self { depth: about.depth, width: about.width, enable, address, data, mask, reads: vec![], indices: vec![] }
    }

    /// Terms that the write port reads.
    pub(super) fn inputs(&self) -> Vec<TermId> {
        [self.enable, self.address, self.data].into_iter().chain(self.mask.map(|(m, _)| m)).collect()
    }

    /// Finds the words of `memory` among the terms that are printed.
    pub(super) fn find_reads(&mut self, memory: MemId, terms: &Terms<'_>, reached: &[bool]) {
        for id in terms.ids().filter(|id| reached[id.index()]) {
            if let Term::Word { memory: of, index } = *terms.term(id)
                && of == memory
            {
                self.reads.push(id);
                self.indices.push(index);
            }
        }
    }

    /// Input ports with their values.
    pub(super) fn ports(&self) -> Vec<(String, TermId)> {
        let mut ports = vec![
            ("write_enable".to_string(), self.enable),
            ("write_address".to_string(), self.address),
            ("write_data".to_string(), self.data),
        ];
        ports.extend(self.mask.map(|(mask, _)| ("write_mask".to_string(), mask)));
        ports.extend(self.indices.iter().enumerate().map(|(i, &index)| (format!("read{i}_address"), index)));
        ports
    }

    /// Name of its module: equal shapes share one.
    pub(super) fn name(&self) -> String {
        self.module().name.clone()
    }

    /// Its module, in no instance yet.
    pub(super) fn about(&self) -> Macro {
        Macro {
            module: self.name(),
            words: self.depth,
            bits: self.width,
            write_parts: self.mask.map_or(1, |(_, parts)| parts),
            reads: self.reads.len(),
            instances: 0,
        }
    }

    /// Everything that its module declares.
    pub(super) fn names(&self) -> ModuleNames {
        module::print(&self.module(), "", None, &|_| unreachable!("a memory module has no children")).interface.names
    }

    /// Its module.
    pub(super) fn module(&self) -> Module {
        let (depth, width, reads) = (self.depth, self.width, self.reads.len());
        let parameters = match self.mask {
            Some((_, mask)) => params! { depth, width, reads, mask },
            None => params! { depth, width, reads },
        };
        let m = Builder::new("sram", parameters);
        m.doc(
            "Behavioural memory: bind the macro of a memory compiler in its place. Writes at the clock edge; reads are\n\
             asynchronous and give the word before the write.",
        );
        let words = m.memory("words", depth, width);
        let enable = m.input("write_enable", 1);
        let address = m.input("write_address", words.address_width());
        let data = m.input("write_data", width);
        let mask = self.mask.map(|(_, mask)| m.input("write_mask", mask));
        m.when(enable, || match mask {
            Some(mask) => words.write_masked(address, data, mask),
            None => words.write(address, data),
        });
        for i in 0..reads {
            let address = m.input(format!("read{i}_address"), words.address_width());
            m.output_of(format!("read{i}_data"), words.read(address));
        }
        m.finish()
    }
}
