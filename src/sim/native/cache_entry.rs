//! The entry of a design in the [`cache`](common::cache)

use crate::passes::{body::Prepared, gates::shape::Shape};
use cranelift_module::FuncId;

/// Per module, with its code.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct CompiledModule {
    /// Functions of the phases.
    pub early: Option<FuncId>,
    pub late: Option<FuncId>,
    /// The code is that of an earlier module, which is equal.
    pub copy: bool,
    /// For reports.
    pub functions: usize,
    pub code_bytes: usize,
    /// As in [`Prepared`].
    pub pure: bool,
    pub stored: Vec<u32>,
    /// Functions of the phases without gates, where there are both.
    pub plain: [Option<FuncId>; 2],
    /// Where several tiles are of the module: functions of the chunks of its late phase, with gates (if there are any) and without.
    pub chunks: [Vec<FuncId>; 2],
    /// Words of the spill area that those need.
    pub spill_words: u32,
    /// Of its gates.
    pub gates: Option<Shape>,
}

/// As notes of the code.
pub(super) fn notes(modules: &[CompiledModule]) -> Vec<u32> {
    let mut out = vec![];
    for about in modules {
        let id = |id: Option<FuncId>| id.map_or(0, |id| id.as_u32() + 1);
        let (functions, code_bytes) = (about.functions as u32, about.code_bytes as u32);
        out.extend([
            id(about.early),
            id(about.late),
            id(about.plain[0]),
            id(about.plain[1]),
            functions,
            code_bytes,
            about.pure.into(),
            about.copy.into(),
            about.stored.len() as u32,
        ]);
        out.extend(&about.stored);
        for chunks in &about.chunks {
            out.push(chunks.len() as u32);
            out.extend(chunks.iter().map(|id| id.as_u32()));
        }
        out.push(about.spill_words);
        out.push(about.gates.is_some().into());
        about.gates.iter().for_each(|gates| gates.write(&mut out));
    }
    out
}

/// From notes of code with so many modules; `None` when they are not that.
pub(super) fn read(notes: &[u32], modules: usize) -> Option<Vec<CompiledModule>> {
    let mut notes = notes.iter().copied();
    let mut out = vec![];
    for _ in 0..modules {
        let mut id = || Some(notes.next()?.checked_sub(1).map(FuncId::from_u32));
        let (early, late, plain) = (id()?, id()?, [id()?, id()?]);
        let (functions, code_bytes) = (notes.next()? as usize, notes.next()? as usize);
        let (pure, copy) = (notes.next()? != 0, notes.next()? != 0);
        let length = notes.next()? as usize;
        let stored: Vec<u32> = notes.by_ref().take(length).collect();
        if stored.len() != length {
            return None;
        }
        let mut list = || {
            let length = notes.next()? as usize;
            let list: Vec<_> = notes.by_ref().take(length).map(FuncId::from_u32).collect();
            (list.len() == length).then_some(list)
        };
        let (chunks, spill_words) = ([list()?, list()?], notes.next()?);
        let gates = match notes.next()? {
            0 => None,
            _ => Some(Shape::read(&mut notes)?),
        };
        out.push(CompiledModule {
            early,
            late,
            copy,
            functions,
            code_bytes,
            pure,
            stored,
            plain,
            chunks,
            spill_words,
            gates,
        });
    }
    notes.next().is_none().then_some(out)
}

/// Without what has become code.
pub(super) fn prepared(modules: &[CompiledModule]) -> Vec<Prepared> {
    let one =
        |about: &CompiledModule| Prepared { pure: about.pure, stored: about.stored.clone(), ..Prepared::default() };
    modules.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::gates::{items::Source, shape::Set};

    #[test]
    fn notes_come_back_and_others_do_not() {
        let id = FuncId::from_u32;
        let set = Set::from([(1, 2), (4, 1 << 63)]);
        let gates = Shape {
            counts: [70, 0, 3],
            slots: 9,
            inputs: [(5, set.clone())].into(),
            tile_results: vec![vec![(u64::MAX, set.clone()), (8, Set::new())], vec![]],
            shown: [(Source::Register(6), set.clone()), (Source::Rest(6), set)].into(),
        };
        let modules = [
            CompiledModule {
                late: Some(id(0)),
                functions: 3,
                code_bytes: 1000,
                stored: vec![4, 9],
                ..CompiledModule::default()
            },
            CompiledModule::default(),
            CompiledModule {
                early: Some(id(7)),
                late: Some(id(8)),
                copy: true,
                functions: 2,
                code_bytes: 1,
                pure: true,
                stored: vec![0],
                plain: [None, Some(id(9))],
                chunks: [vec![id(3), id(4)], vec![id(5)]],
                spill_words: 11,
                gates: Some(gates),
            },
        ];
        let notes = notes(&modules);
        assert_eq!(read(&notes, 3).as_deref(), Some(&modules[..]));
        assert_eq!((read(&notes, 2), read(&notes, 4)), (None, None));
        assert!((0..notes.len()).all(|length| read(&notes[..length], 3).is_none()));
    }
}
