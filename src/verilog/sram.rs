//! Large memories as modules of their own, so that a user can bind the macro of a memory compiler to each shape.
//!
//! The modules are behavioural, with one write port (with a mask where the author writes with one) at the clock edge:
//!
//! * `sram`: one read port at the clock edge, with the [read register](super::read_registers) in it. Ports: `clock`,
//!   `write_enable`, `write_address`, `write_data`, `write_mask`, `read_enable`, `read_address`, `read_data`. A memory
//!   that is read so at several addresses has a copy for each.
//! * `async_ram`: asynchronous read ports, `read<i>_address` and `read<i>_data` instead: words that logic reads.

use super::{
    macros::Macro,
    module,
    names::ModuleNames,
    read_registers::ReadRegister,
    terms::{Infix, Term, TermId, Terms},
};
use hdl::{params, *};

/// A memory of one module, seen as an instance of a memory module.
#[derive(Clone)]
pub(super) struct Sram {
    depth: usize,
    width: u32,
    enable: TermId,
    address: TermId,
    data: TermId,
    mask: Option<(TermId, u32)>,
    pub(super) read: Read,
}

/// How its words are read.
#[derive(Clone)]
pub(super) enum Read {
    /// At the clock edge, into a register.
    Registered(ReadRegister),
    /// By logic, a port for each word.
    Asynchronous { words: Vec<TermId>, indices: Vec<TermId> },
}

/// The register in the module of a memory that is read at the clock edge.
const READ_REGISTER: &str = "word";

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
        let read = Read::Asynchronous { words: vec![], indices: vec![] };
        Self { depth: about.depth, width: about.width, enable, address, data, mask, read }
    }

    /// The same memory, read into a register.
    pub(super) fn with(&self, read: ReadRegister) -> Self {
        Self { read: Read::Registered(read), ..self.clone() }
    }

    /// Terms that its ports read, but for the addresses of [`Self::find_reads`].
    pub(super) fn inputs(&self) -> Vec<TermId> {
        let mut inputs = vec![self.enable, self.address, self.data];
        inputs.extend(self.mask.map(|(m, _)| m));
        if let Read::Registered(read) = &self.read {
            inputs.extend(read.inputs());
        }
        inputs
    }

    /// Finds the words of `memory` among the terms that are printed, where logic reads them.
    pub(super) fn find_reads(&mut self, memory: MemId, terms: &Terms<'_>, reached: &[bool]) {
        let Read::Asynchronous { words, indices } = &mut self.read else { return };
        for id in terms.ids().filter(|id| reached[id.index()]) {
            if let Term::Word { memory: of, index } = *terms.term(id)
                && of == memory
            {
                words.push(id);
                indices.push(index);
            }
        }
    }

    /// Does it have a read port?
    pub(super) fn is_read(&self) -> bool {
        !matches!(&self.read, Read::Asynchronous { words, .. } if words.is_empty())
    }

    /// Registers (no depth) and memories (with theirs) in its module.
    pub(super) fn state(&self) -> impl Iterator<Item = (&'static str, Option<usize>)> + use<> {
        let register = matches!(self.read, Read::Registered(_)).then_some((READ_REGISTER, None));
        [("words", Some(self.depth))].into_iter().chain(register)
    }

    /// Input ports with their values.
    pub(super) fn ports(&self) -> Vec<(String, TermId)> {
        let mut ports = vec![
            ("write_enable".to_string(), self.enable),
            ("write_address".to_string(), self.address),
            ("write_data".to_string(), self.data),
        ];
        ports.extend(self.mask.map(|(mask, _)| ("write_mask".to_string(), mask)));
        match &self.read {
            Read::Registered(read) => {
                ports.extend([("read_enable".to_string(), read.enable), ("read_address".to_string(), read.index)]);
            }
            Read::Asynchronous { indices, .. } => {
                ports.extend(indices.iter().enumerate().map(|(i, &index)| (format!("read{i}_address"), index)));
            }
        }
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
            reads: match &self.read {
                Read::Registered(_) => 1,
                Read::Asynchronous { words, .. } => words.len(),
            },
            registered: matches!(self.read, Read::Registered(_)),
            instances: 0,
        }
    }

    /// Everything that its module declares.
    pub(super) fn names(&self) -> ModuleNames {
        module::print(&self.module(), "", None, &|_| unreachable!("a memory module has no children")).interface.names
    }

    /// Its module.
    pub(super) fn module(&self) -> Module {
        let (depth, width) = (self.depth, self.width);
        let mut parameters = params! { depth, width };
        let kind = match &self.read {
            Read::Registered(_) => "sram",
            Read::Asynchronous { words, .. } => {
                parameters = parameters.with("reads", &words.len());
                "async_ram"
            }
        };
        let m = Builder::new(kind, parameters.with("mask", &self.mask.map(|(_, mask)| mask)));
        let words = m.memory("words", depth, width);
        let enable = m.input("write_enable", 1);
        let address = m.input("write_address", words.address_width());
        let data = m.input("write_data", width);
        let mask = self.mask.map(|(_, mask)| m.input("write_mask", mask));
        m.when(enable, || match mask {
            Some(mask) => words.write_masked(address, data, mask),
            None => words.write(address, data),
        });
        match &self.read {
            Read::Registered(_) => {
                m.doc(
                    "Behavioural memory with a write and a read port at the clock edge: bind the macro of a memory compiler in\n\
                     its place, or let an FPGA tool find a block memory. A word that is read and written at once is read as it\n\
                     was before; without `read_enable` the word that was read last stays.",
                );
                let (enable, address) = (m.input("read_enable", 1), m.input("read_address", words.address_width()));
                let word = m.register_payload(READ_REGISTER, width);
                m.when(enable, || m.set(word, words.read(address)));
                m.output_of("read_data", word);
            }
            Read::Asynchronous { words: read, .. } => {
                m.doc(
                    "Behavioural memory: bind the macro of a memory compiler in its place. Writes at the clock edge; reads are\n\
                     asynchronous and give the word before the write.",
                );
                for i in 0..read.len() {
                    let address = m.input(format!("read{i}_address"), words.address_width());
                    m.output_of(format!("read{i}_data"), words.read(address));
                }
            }
        }
        m.finish()
    }
}
