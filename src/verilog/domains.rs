//! File lists by clock: what one clock alone drives can be synthesised by itself.
//!
//! A block whose registers, with those below it, have one clock is in the list of that clock with all of its modules. Blocks between clocks
//! (synchronisers, crossings, the top) are in none.

use super::ClockPorts;
use hdl::Module;
use netlist::Design;
use rustc_hash::{FxHashMap, FxHashSet};

/// Modules that one clock drives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DomainModules {
    /// The clock domain of the top.
    pub domain: String,
    /// Their names, in the order of the export: children before parents.
    pub modules: Vec<String>,
}

/// By clock domain of the top, the modules of instances that it alone drives. `order`: names of all modules; `memories`: the memory modules
/// of a module, by its key.
pub(super) fn modules_by_domain(
    design: &Design,
    order: &[String],
    memories: &FxHashMap<usize, Vec<String>>,
) -> Vec<DomainModules> {
    let top = &design.top;
    let mut walk = Walk { memories, found: vec![FxHashSet::default(); top.domains.len()], seen: FxHashSet::default() };
    walk.module(top, &(0..top.domains.len()).collect::<Vec<_>>());
    let lists = top.domains.iter().zip(walk.found).map(|(domain, found)| DomainModules {
        domain: domain.name.clone(),
        modules: order.iter().filter(|name| found.contains(name.as_str())).cloned().collect(),
    });
    lists.filter(|list| !list.modules.is_empty()).collect()
}

struct Walk<'a> {
    memories: &'a FxHashMap<usize, Vec<String>>,
    /// By domain of the top.
    found: Vec<FxHashSet<&'a str>>,
    /// Modules by key, with the domains that drive them.
    seen: FxHashSet<(usize, Vec<usize>)>,
}

impl<'a> Walk<'a> {
    /// `outer`: which domain of the top each of the module's is.
    fn module(&mut self, module: &'a Module, outer: &[usize]) {
        if !self.seen.insert((module.key(), outer.to_vec())) {
            return;
        }
        let mut used: Vec<_> =
            module.domains.iter().zip(outer).filter(|(own, _)| own.used).map(|(_, at)| *at).collect();
        used.sort_unstable();
        used.dedup();
        match used[..] {
            [one] => self.all(module, one),
            _ => {
                for instance in &module.instances {
                    self.module(&instance.module, &instance.outer_domains(outer));
                }
            }
        }
    }

    /// A module and everything below it.
    fn all(&mut self, module: &'a Module, domain: usize) {
        if self.found[domain].insert(&module.name) {
            self.found[domain].extend(self.memories.get(&module.key()).into_iter().flatten().map(String::as_str));
            module.instances.iter().for_each(|instance| self.all(&instance.module, domain));
        }
    }
}

/// A list of files for each clock, by name and text, where there are several. `parts` are the parts of a chip, each with its clock domain and
/// MHz: a clock is called by the first of those that it drives.
pub fn domain_lists(
    lists: &[DomainModules],
    clocks: &[ClockPorts],
    parts: &[(&str, &str, u32)],
) -> Vec<(String, String)> {
    if clocks.iter().filter(|clock| clock.clock.is_some()).count() < 2 {
        return vec![];
    }
    let file = |DomainModules { domain, modules }: &DomainModules| {
        let name = parts.iter().find(|(_, of, _)| of == domain).map_or(domain.as_str(), |(name, ..)| name);
        let files: String = modules.iter().map(|module| format!("{module}.v\n")).collect();
        let about = format!(
            "// Modules of blocks that the clock `{name}` alone drives, children before parents; what is between clocks is in files.f alone\n"
        );
        (format!("files.{name}.f"), about + &files)
    };
    lists.iter().map(file).collect()
}
