//! What engines are made from.

use super::{
    layout::Layout,
    profile::MaybeBoard,
    state::{Scope, Sites},
};
use hdl::NetId;
use netlist::Design;
use std::collections::BTreeSet;

/// What an engine is made from.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    pub design: &'a Design,
    pub layouts: &'a [Layout],
    pub scopes: &'a [Scope],
    pub sites: &'a Sites,
    /// Wires that must be computed in every evaluation, as somebody looks at them.
    pub observed: &'a Observed,
    /// Where the engine tells what it is doing, if anybody wants to know.
    pub board: &'a MaybeBoard,
}

/// Nets that are observed: module (position in the design) and net.
pub(crate) type Observed = BTreeSet<(usize, NetId)>;
