//! Read registers: a register that takes words of a large memory, or keeps what it has, is the output register of the
//! memory's module.
//!
//! ```text
//!  read address --> words --> enable ? word : kept --> register --> (the only reader of the word)
//!                  `------------ one macro -------------------'
//! ```
//!
//! The macros of memory compilers and the block memories of FPGAs are read at the clock edge. Where the author has
//! written such a register behind the memory, it moves into the memory's module with its enable; every other reader of a
//! word, an assertion too, keeps the read outside and asynchronous.

use super::{
    live::{Live, Need},
    terms::{Infix, Term, TermId, Terms},
};
use hdl::*;

/// A register that takes words of a memory.
#[derive(Clone)]
pub(super) struct ReadRegister {
    pub(super) memory: MemId,
    /// The register.
    pub(super) net: NetId,
    word: TermId,
    /// Which word.
    pub(super) index: TermId,
    /// Whether it takes it.
    pub(super) enable: TermId,
}

impl ReadRegister {
    /// Terms that the read port reads.
    pub(super) fn inputs(&self) -> [TermId; 2] {
        [self.index, self.enable]
    }
}

/// The live registers without reset that take nothing but words of memories in `apart`, at the edge at which these are written.
pub(super) fn candidates(module: &ModuleDef, terms: &mut Terms<'_>, live: &Live, apart: &[MemId]) -> Vec<ReadRegister> {
    let mut found: Vec<ReadRegister> = vec![];
    for net in module.registers() {
        let about = module.net(net);
        let Some(next) = module.drivers[net.index()] else { continue };
        if apart.is_empty()
            || live.nets[net.index()] != Need::Always
            || about.kind != (NetKind::Register { reset: None })
        {
            continue;
        }
        let (next, kept) = (terms.of(next), terms.net(net));
        let Some((word, enable)) = taken(terms, next, kept) else { continue };
        let Term::Word { memory, index } = *terms.term(word) else { continue };
        if apart.contains(&memory) && module.memories[memory.index()].domain == about.domain {
            found.push(ReadRegister { memory, net, word, index, enable });
        }
    }
    // A word that two registers take has two readers.
    let words: Vec<TermId> = found.iter().map(|read| read.word).collect();
    found.retain(|read| words.iter().filter(|&&word| word == read.word).count() == 1);
    found
}

/// The word that `next` is where it is not `kept`, and when it is.
fn taken(terms: &mut Terms<'_>, next: TermId, kept: TermId) -> Option<(TermId, TermId)> {
    match *terms.term(next) {
        Term::Word { .. } => Some((next, terms.constant(1, 1))),
        Term::Mux(select, then, otherwise) => {
            let (value, when) = match (then == kept, otherwise == kept) {
                (false, true) => (then, select),
                (true, false) => (otherwise, terms.not(select)),
                (true, true) => return None,
                (false, false) => {
                    let (word, first) = taken(terms, then, kept)?;
                    let (other, second) = taken(terms, otherwise, kept)?;
                    let enable = if first == second { first } else { terms.add(Term::Mux(select, first, second), 1) };
                    return (word == other).then_some((word, enable));
                }
            };
            let (word, enable) = taken(terms, value, kept)?;
            Some((word, terms.gate(Infix::And, when, enable)))
        }
        _ => None,
    }
}

/// Those whose word is not among what everything else reads (`reached`).
pub(super) fn sole_readers(candidates: Vec<ReadRegister>, reached: &[bool]) -> Vec<ReadRegister> {
    candidates.into_iter().filter(|read| !reached[read.word.index()]).collect()
}
