//! The walk over the hierarchy.

use super::{Dependencies, clocks::Clocks, registered_outputs};
use hdl::*;
use rustc_hash::FxHashMap;
use std::fmt;

/// A checked design.
#[derive(Clone, Debug)]
pub struct Design {
    /// The root of the hierarchy.
    pub top: Module,
    /// Distinct modules, children before parents; the last one is `top`.
    pub modules: Vec<Elaborated>,
    index: FxHashMap<usize, usize>,
}

/// One distinct module with what elaboration found out about it.
#[derive(Clone, Debug)]
pub struct Elaborated {
    /// The module.
    pub module: Module,
    /// Its combinational dependencies.
    pub dependencies: Dependencies,
    /// Per output: comes straight from registers.
    pub registered: Vec<bool>,
    /// How many instances of it the whole design has.
    pub instances: usize,
}

impl Design {
    /// Position in [`Design::modules`] of a module of this design.
    pub fn index_of(&self, module: &Module) -> usize {
        self.index[&module.key()]
    }

    /// The design that does the same in every cycle and simulates faster ([`hdl::with_equals`]), if it is another one.
    pub fn with_equals(&self) -> Option<Design> {
        let top = hdl::with_equals(&self.top);
        if top.same(&self.top) {
            return None;
        }
        Some(elaborate(&top).expect("a block and its equal are described by one function"))
    }

    /// The same design in which the value of each operator is a net, too ([`hdl::with_operator_nets`]).
    pub fn with_operator_nets(&self) -> Design {
        elaborate(&hdl::with_operator_nets(&self.top)).expect("wires that nothing reads add no mistake")
    }

    /// What elaboration found out about a module of this design.
    pub fn about(&self, module: &Module) -> &Elaborated {
        &self.modules[self.index_of(module)]
    }
}

/// A mistake, with the place in the hierarchy where the module that holds it is first instantiated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mistake {
    /// Instance names from the top module down, separated by dots.
    pub path: String,
    /// Name of the module that holds the mistake.
    pub module: String,
    /// The mistake.
    pub problem: Problem,
}

/// Every mistake of a design.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub struct ElaborationError {
    /// In the order of the walk, top first.
    pub mistakes: Vec<Mistake>,
}

impl fmt::Display for ElaborationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, mistake) in self.mistakes.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{} ({}): {}", mistake.path, mistake.module, mistake.problem.message)?;
            for source in &mistake.problem.sources {
                write!(f, "\n    at {source}")?;
            }
        }
        Ok(())
    }
}

/// Walks the hierarchy below `top`, checks every distinct module once, and returns the design or all mistakes.
pub fn elaborate(top: &Module) -> Result<Design, ElaborationError> {
    let mut walk = HierarchyWalk {
        modules: vec![],
        index: FxHashMap::default(),
        names: FxHashMap::default(),
        clocks: Clocks::default(),
        top: top.key(),
        mistakes: vec![],
    };
    walk.module(top, &top.kind);
    if !walk.mistakes.is_empty() {
        walk.mistakes.sort_by_key(|m| m.path.matches('.').count());
        return Err(ElaborationError { mistakes: walk.mistakes });
    }
    let HierarchyWalk { mut modules, index, .. } = walk;
    count_instances(&mut modules, &index);
    Ok(Design { top: top.clone(), modules, index })
}

/// Parents come after children: going backwards, each parent's count is final before it is spread over its children.
fn count_instances(modules: &mut [Elaborated], index: &FxHashMap<usize, usize>) {
    if let Some(top) = modules.last_mut() {
        top.instances = 1;
    }
    for i in (0..modules.len()).rev() {
        let count = modules[i].instances;
        let children: Vec<_> = modules[i].module.instances.iter().map(|c| index[&c.module.key()]).collect();
        children.into_iter().for_each(|c| modules[c].instances += count);
    }
}

struct HierarchyWalk {
    modules: Vec<Elaborated>,
    index: FxHashMap<usize, usize>,
    /// Module names: the first module called so.
    names: FxHashMap<String, Module>,
    clocks: Clocks,
    /// Which module is the top.
    top: usize,
    mistakes: Vec<Mistake>,
}

impl HierarchyWalk {
    fn module(&mut self, module: &Module, path: &str) {
        if self.index.contains_key(&module.key()) {
            return;
        }
        for child in &module.instances {
            self.module(&child.module, &format!("{path}.{}", child.name));
        }
        let about = |i: InstanceId| &self.modules[self.index[&module.instances[i.index()].module.key()]];
        let dependencies = Dependencies::of(module, |i| &about(i).dependencies);
        let registered = registered_outputs(module, |i| &about(i).registered);
        let mut problems = module.problems.clone();
        let namesake = self.names.entry(module.name.clone()).or_insert_with(|| module.clone());
        if !namesake.same(module) {
            problems.push(ambiguous(namesake, module));
        }
        problems.extend(undriven_inputs(module));
        problems.extend(dependencies.loops().iter().map(|around| loop_problem(module, around)));
        problems.extend(
            module
                .instances
                .iter()
                .filter(|child| child.tile)
                .flat_map(|child| unregistered(child, &self.modules[self.index[&child.module.key()]].registered)),
        );
        let about = |child: &Module| &self.modules[self.index[&child.key()]];
        problems.extend(self.clocks.check(module, module.key() == self.top, &about));
        let found = problems.into_iter();
        self.mistakes.extend(found.map(|problem| Mistake { path: path.into(), module: module.name.clone(), problem }));
        self.index.insert(module.key(), self.modules.len());
        self.modules.push(Elaborated { module: module.clone(), dependencies, registered, instances: 0 });
    }
}

/// Names of modules are those of functions, Verilog modules and files: a block's author has left a parameter out of `params!`.
fn ambiguous(first: &Module, second: &Module) -> Problem {
    Problem {
        kind: ProblemKind::Name,
        message: format!("two different modules are called `{}`: a parameter is missing from its name", second.name),
        sources: [second, first].into_iter().filter_map(|m| m.nets.first().map(|n| n.source)).collect(),
    }
}

fn undriven_inputs(module: &Module) -> impl Iterator<Item = Problem> + '_ {
    module.instances.iter().flat_map(|child| {
        child.inputs.iter().enumerate().filter(|(_, value)| value.is_none()).map(|(i, _)| {
            let port = child.module.net(child.module.inputs[i]);
            Problem {
                kind: ProblemKind::Undriven,
                message: format!("input `{}` of instance `{}` has no driver", port.name, child.name),
                sources: vec![child.source, port.source],
            }
        })
    })
}

fn loop_problem(module: &Module, around: &[NetId]) -> Problem {
    let names: Vec<_> = around.iter().chain(around.first()).map(|&n| module.net(n).name.as_str()).collect();
    Problem {
        kind: ProblemKind::CombinationalLoop,
        message: format!("combinational loop: {}", names.join(" -> ")),
        sources: around.iter().map(|&n| module.net(n).source).collect(),
    }
}

fn unregistered<'a>(child: &'a Instance, registered: &'a [bool]) -> impl Iterator<Item = Problem> + 'a {
    child.module.outputs.iter().zip(registered).filter(|(_, ok)| !**ok).map(|(&output, _)| {
        let port = child.module.net(output);
        Problem {
            kind: ProblemKind::UnregisteredTileOutput,
            message: format!("output `{}` of tile `{}` is not a register", port.name, child.name),
            sources: vec![port.source, child.source],
        }
    })
}
