//! What a waveform shows: nets by name, with the fields of those that blocks take apart as bundles, and names of values.

use crate::{
    layout::Place,
    paths::Names,
    pattern::{covers, matches},
};
use hdl::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Selected signals of an instance and of those below it.
pub(super) struct Branch {
    pub name: String,
    /// The instance itself was asked for, and not only what is around it or something in it.
    pub selected: bool,
    pub signals: Vec<Shown>,
    pub below: Vec<Branch>,
}

/// A net, or a field of one.
pub(super) struct Shown {
    pub name: String,
    pub bits: PlacedBits,
    /// Position of the module, and net.
    pub net: (usize, NetId),
    /// Of its values: position in [`Tree::enumerations`].
    pub enumeration: Option<usize>,
}

/// Bits of the net at a place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct PlacedBits {
    pub place: Place,
    /// The first one.
    pub lo: u32,
    pub width: u32,
    /// All of the net.
    pub whole: bool,
}

/// Names of the values of so many bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Enumeration {
    pub values: Values,
    pub width: u32,
}

/// All that is shown.
pub(super) struct Tree {
    pub top: Branch,
    pub enumerations: Vec<Enumeration>,
}

/// A net or a field in every instance of a module.
struct Signal {
    name: String,
    net: NetId,
    lo: u32,
    width: u32,
    enumeration: Option<usize>,
}

/// Signals of the modules that have been met.
struct Collector<'a> {
    names: &'a Names<'a>,
    modules: FxHashMap<usize, Rc<Vec<Signal>>>,
    enumerations: Vec<Enumeration>,
}

impl Tree {
    /// What the patterns select, without any everything; the pattern that selects nothing is the error.
    pub fn new<'s>(names: &Names, select: &'s [String]) -> Result<Self, &'s String> {
        let mut collector = Collector { names, modules: FxHashMap::default(), enumerations: vec![] };
        if let Some(pattern) = select.iter().find(|pattern| collector.branch(0, "", &[pattern]).is_none()) {
            return Err(pattern);
        }
        let name = names.scopes[0].name.clone();
        let nothing = Branch { name, selected: false, signals: vec![], below: vec![] };
        let top = collector.branch(0, "", &select.iter().collect::<Vec<_>>()).unwrap_or(nothing);
        Ok(Self { top, enumerations: collector.enumerations })
    }
}

impl Collector<'_> {
    /// The selected signals from `scope` down; `None` when there are none. With a net, its fields are selected.
    fn branch(&mut self, scope: usize, path: &str, select: &[&String]) -> Option<Branch> {
        let names = self.names;
        let at = &names.scopes[scope];
        let join = |name: &str| if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        let chosen = |path: &str| select.is_empty() || select.iter().any(|pattern| covers(pattern, path));
        let module = &names.design.modules[at.module].module;
        let mut signals = vec![];
        for signal in self.module(at.module).iter() {
            let net = &module.net(signal.net).name;
            if chosen(&join(net)) || *net != signal.name && chosen(&join(&signal.name)) {
                let found = names.place(scope, signal.net);
                signals.push(Shown {
                    name: signal.name.clone(),
                    bits: PlacedBits {
                        place: found.place,
                        lo: signal.lo,
                        width: signal.width,
                        whole: signal.width == found.width,
                    },
                    net: (at.module, found.net),
                    enumeration: signal.enumeration,
                });
            }
        }
        let mut below = vec![];
        for &child in &at.children {
            below.extend(self.branch(child, &join(&names.scopes[child].name), select));
        }
        let any = !signals.is_empty() || !below.is_empty();
        let selected = select.iter().any(|pattern| matches(pattern, path));
        any.then(|| Branch { name: at.name.clone(), selected, signals, below })
    }

    fn module(&mut self, module: usize) -> Rc<Vec<Signal>> {
        if let Some(known) = self.modules.get(&module) {
            return known.clone();
        }
        let signals = Rc::new(self.signals(&self.names.design.modules[module].module));
        self.modules.insert(module, signals.clone());
        signals
    }

    /// Each net with its fields behind it.
    fn signals(&mut self, module: &ModuleDef) -> Vec<Signal> {
        let mut fields = fields(module);
        let mut signals = vec![];
        for (at, net) in module.nets.iter().enumerate().filter(|(_, net)| !is_operator_net(net)) {
            let id = NetId(at as u32);
            let whole = std::iter::once((net.name.clone(), 0, net.width));
            for (name, lo, width) in whole.chain(fields.remove(&id).unwrap_or_default()) {
                let enumeration = module.value_names(id, lo, width).map(|values| self.enumeration(values));
                signals.push(Signal { name, net: id, lo, width, enumeration });
            }
        }
        signals
    }

    fn enumeration(&mut self, values: &ValueNames) -> usize {
        let wanted = Enumeration { values: values.values, width: values.width };
        self.enumerations.iter().position(|known| *known == wanted).unwrap_or_else(|| {
            self.enumerations.push(wanted);
            self.enumerations.len() - 1
        })
    }
}

/// Fields of the nets of a module: name, first bit, bits. They are called after the net and the field, as in the exported Verilog; fields of
/// a name that are several of a net have that of the field around them between, or else their first bit behind.
fn fields(module: &ModuleDef) -> FxHashMap<NetId, Vec<(String, u32, u32)>> {
    let mut taken: FxHashSet<String> = module.nets.iter().map(|net| net.name.clone()).collect();
    let mut found = FxHashMap::default();
    let mut nets: Vec<_> = module.fields().into_iter().collect();
    nets.sort_by_key(|(net, _)| *net);
    for (net, places) in nets {
        let word = &module.net(net).name;
        let mut named = vec![];
        for &(lo, field) in &places {
            let around = |(from, outer): &&(u32, Field)| {
                outer.width > field.width && *from <= lo && lo + field.width <= from + outer.width
            };
            let outer = places.iter().filter(around).min_by_key(|(_, outer)| outer.width);
            let simple = format!("{word}_{}", field.name);
            let longer = outer.map(|(_, outer)| format!("{word}_{}_{}", outer.name, field.name));
            let names = std::iter::once(simple.clone()).chain(longer).chain([format!("{simple}_{lo}")]);
            let alone = places.iter().filter(|(_, other)| other.name == field.name).count() == 1;
            // A net that has the name is that field in most cases.
            if alone && taken.contains(&simple) {
                continue;
            }
            let name = names.skip(usize::from(!alone)).find(|name| !taken.contains(name));
            if let Some(name) = name {
                taken.insert(name.clone());
                named.push((name, lo, field.width));
            }
        }
        found.insert(net, named);
    }
    found
}
