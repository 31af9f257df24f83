//! Which modules are one in all but names.
//!
//! Two modules are *equal* when the same nets are driven by the same expressions, in the same order, with equal children: then
//! they compute the same, whatever their ports are called (the VC allocators of four kinds of border routers). They are *alike*
//! when only children differ, and those have equal ports (border routers differ in their route units): then a group may hold
//! tiles of both, and only the differing children are evaluated apart.

use crate::{hdl::*, netlist::Design};
use std::collections::HashMap;

/// Classes of equal modules.
pub(super) struct Classes {
    class: Vec<usize>,
}

impl Classes {
    pub fn new(design: &Design) -> Self {
        let mut class: Vec<usize> = vec![];
        let mut found: HashMap<[usize; 5], Vec<usize>> = HashMap::new();
        for (i, about) in design.modules.iter().enumerate() {
            let m = &about.module;
            let size = [m.nets.len(), m.exprs.len(), m.instances.len(), m.memories.len(), m.inputs.len()];
            let others = found.entry(size).or_default();
            let equal = others.iter().copied().find(|&other| {
                let same = |a: &Module, b: &Module| class[design.index_of(a)] == class[design.index_of(b)];
                equal_but_children(&design.modules[other].module, m, same)
            });
            others.push(i);
            class.push(equal.map_or(i, |other| class[other]));
        }
        Self { class }
    }

    /// The first module (position in the design) that this one is equal to.
    pub fn of(&self, module: usize) -> usize {
        self.class[module]
    }
}

/// Equal but for children that have equal ports.
pub(super) fn alike(design: &Design, classes: &Classes, a: usize, b: usize) -> bool {
    if classes.of(a) == classes.of(b) {
        return true;
    }
    equal_but_children(&design.modules[a].module, &design.modules[b].module, |a, b| equal_ports(a, b))
}

fn equal_ports(a: &ModuleDef, b: &ModuleDef) -> bool {
    let widths = |m: &ModuleDef, ports: &[NetId]| ports.iter().map(|&p| m.net(p).width).collect::<Vec<_>>();
    widths(a, &a.inputs) == widths(b, &b.inputs) && widths(a, &a.outputs) == widths(b, &b.outputs)
}

fn equal_but_children(a: &ModuleDef, b: &ModuleDef, same: impl Fn(&Module, &Module) -> bool) -> bool {
    let nets = |m: &ModuleDef| m.nets.len();
    nets(a) == nets(b)
        && a.exprs.len() == b.exprs.len()
        && a.instances.len() == b.instances.len()
        && (a.inputs == b.inputs && a.outputs == b.outputs && a.drivers == b.drivers)
        && a.nets.iter().zip(&b.nets).all(|(a, b)| a.width == b.width && a.kind == b.kind)
        && a.exprs.iter().zip(&b.exprs).all(|(a, b)| a.width == b.width && a.op == b.op)
        && equal_items(&a.memories, &b.memories, |m| (m.depth, m.width))
        && equal_items(&a.writes, &b.writes, |w| (w.memory, w.enable, w.address, w.data, w.mask))
        && equal_items(&a.probes, &b.probes, |p| (p.kind, p.enable, p.value))
        && equal_items(&a.assertions, &b.assertions, |c| c.condition)
        && (a.instances.iter().zip(&b.instances))
            .all(|(a, b)| a.inputs == b.inputs && a.outputs == b.outputs && same(&a.module, &b.module))
}

fn equal_items<T, K: PartialEq>(a: &[T], b: &[T], key: impl Fn(&T) -> K) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| key(a) == key(b))
}
