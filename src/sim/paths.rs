//! Hierarchical names: from `tile.router.count` to a place in the state.

use super::{
    error::{SimError, nearest},
    layout::{Layout, Place},
    state::{Scope, path_of},
};
use hdl::*;
use netlist::Design;

/// A net of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FoundNet {
    pub scope: usize,
    pub net: NetId,
    /// Absolute.
    pub place: Place,
    pub width: u32,
}

/// A memory of an instance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FoundMemory {
    /// First word, absolute, in the storage.
    pub first: usize,
    pub depth: usize,
    pub width: u32,
}

/// The hierarchy with names.
pub(crate) struct Names<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub scopes: &'a [Scope],
}

impl<'a> Names<'a> {
    fn module(&self, scope: usize) -> &'a ModuleDef {
        &self.design.modules[self.scopes[scope].module].module
    }

    /// The instance and the last name of a path. The top's own name may be left out.
    fn split<'p>(&self, path: &'p str) -> Option<(usize, &'p str)> {
        let (instances, last) = path.rsplit_once('.').map_or(("", path), |(a, b)| (a, b));
        Some((self.scope(instances)?, last))
    }

    /// The instance called `path`; empty for the top.
    pub fn scope(&self, path: &str) -> Option<usize> {
        let mut scope = 0;
        for (i, name) in path.split('.').filter(|n| !n.is_empty()).enumerate() {
            let child = self.scopes[scope].children.iter().find(|&&c| self.scopes[c].name == name);
            match child {
                Some(&child) => scope = child,
                None if i == 0 && (name == self.scopes[0].name || name == self.design.top.name) => {}
                None => return None,
            }
        }
        Some(scope)
    }

    pub fn net(&self, path: &str) -> Result<FoundNet, SimError> {
        let found = self.split(path).and_then(|(scope, name)| Some((scope, self.module(scope).find_net(name)?)));
        found.map(|(scope, net)| self.place(scope, net)).ok_or_else(|| self.unknown(path))
    }

    pub fn place(&self, scope: usize, net: NetId) -> FoundNet {
        let place = self.layouts[self.scopes[scope].module].places[net.index()];
        let width = self.module(scope).net(net).width;
        FoundNet { scope, net, place: self.scopes[scope].bases.of(place), width }
    }

    pub fn memory(&self, path: &str) -> Result<FoundMemory, SimError> {
        let found = self.split(path).and_then(|(scope, name)| {
            let index = self.module(scope).memories.iter().position(|m| m.name == name)?;
            let memory = &self.module(scope).memories[index];
            let first = self.scopes[scope].bases.storage + self.layouts[self.scopes[scope].module].memories[index];
            Some(FoundMemory { first: first as usize, depth: memory.depth, width: memory.width })
        });
        found.ok_or_else(|| self.unknown(path))
    }

    /// The error for a path: similar names at the place where the path leaves the hierarchy.
    pub fn unknown(&self, path: &str) -> SimError {
        let parts: Vec<&str> = path.split('.').collect();
        let known = (0..parts.len()).rev().find_map(|n| self.scope(&parts[..n].join(".")).map(|scope| (n, scope)));
        let (n, scope) = known.unwrap_or((0, 0));
        let module = self.module(scope);
        let wanted = parts.get(n).copied().unwrap_or_default();
        let names = self.scopes[scope].children.iter().map(|&c| self.scopes[c].name.as_str());
        let nets = module.nets.iter().filter(|net| !is_operator_net(net));
        let names = names.chain(nets.map(|net| net.name.as_str()));
        let names = names.chain(module.memories.iter().map(|m| m.name.as_str()));
        let around = path_of(self.scopes, scope);
        let candidates = nearest(wanted, names);
        let join = |name: String| if around.is_empty() { name } else { format!("{around}.{name}") };
        SimError::UnknownPath { path: path.into(), candidates: candidates.into_iter().map(join).collect() }
    }
}
