//! Which modules are one in all but names.
//!
//! Two modules are *equal* when the same nets are driven by the same expressions, in the same order, with equal
//! children: then they compute the same, whatever their ports are called (the VC allocators of four kinds of border
//! routers). They are *alike* when only children differ, and those have equal ports and pass the same inputs through to
//! them (border routers differ in their route units): then a group of the bit-sliced engine may hold tiles of both, and
//! only the differing children are evaluated apart; so may a group of vectors, where those are blocks without state. The word engine compiles equal modules once.

use super::state::usable_intrinsic;
use hdl::*;
use netlist::Design;
use rustc_hash::FxHashMap;

/// Classes of equal modules.
pub(crate) struct ModuleClasses {
    class: Vec<usize>,
}

impl ModuleClasses {
    pub fn new(design: &Design) -> Self {
        Self::apart_from(design, |_| false)
    }

    /// Modules (positions in the design) that are `alone` are equal to none but themselves.
    pub fn apart_from(design: &Design, alone: impl Fn(usize) -> bool) -> Self {
        let mut class: Vec<usize> = vec![];
        let mut found: FxHashMap<[usize; 6], Vec<usize>> = FxHashMap::default();
        for (i, about) in design.modules.iter().enumerate() {
            if alone(i) {
                class.push(i);
                continue;
            }
            let m = &about.module;
            let intrinsic = usable_intrinsic(about).map_or(0, |intrinsic| intrinsic.call as usize);
            let size = [m.nets.len(), m.exprs.len(), m.instances.len(), m.memories.len(), m.inputs.len(), intrinsic];
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

/// Equal but for children that have equal ports and let the same inputs through to the same outputs within a cycle. So
/// what depends on what is the same around either, and who has both in one place finds no loop that neither has.
pub(crate) fn equivalent_but_for_children(design: &Design, classes: &ModuleClasses, a: usize, b: usize) -> bool {
    if classes.of(a) == classes.of(b) {
        return true;
    }
    let through = |module: &Module| &design.modules[design.index_of(module)].dependencies.through;
    let same = |a: &Module, b: &Module| equal_ports(a, b) && through(a) == through(b);
    equal_but_children(&design.modules[a].module, &design.modules[b].module, same)
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
        && a.domains.len() == b.domains.len()
        && equal_items(&a.nets, &b.nets, |net| (net.width, net.kind.clone(), net.domain))
        && a.exprs.iter().zip(&b.exprs).all(|(a, b)| a.width == b.width && a.op == b.op)
        && equal_items(&a.memories, &b.memories, |m| (m.depth, m.width, m.domain))
        && equal_items(&a.writes, &b.writes, |w| (w.memory, w.enable, w.address, w.data, w.mask))
        && equal_items(&a.probes, &b.probes, |p| (p.kind, p.enable, p.value, p.domain))
        && equal_items(&a.assertions, &b.assertions, |c| (c.condition, c.domain))
        && (a.instances.iter().zip(&b.instances)).all(|(a, b)| {
            (&a.inputs, &a.outputs, &a.domains) == (&b.inputs, &b.outputs, &b.domains) && same(&a.module, &b.module)
        })
}

fn equal_items<T, K: PartialEq>(a: &[T], b: &[T], key: impl Fn(&T) -> K) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| key(a) == key(b))
}
