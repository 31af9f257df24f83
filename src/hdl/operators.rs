//! A net for the value of each operator, so that its switching activity can be measured.

use super::{
    def::*,
    ids::{DomainId, ExprId},
};
use rustc_hash::FxHashMap;

/// Begins the names of these nets.
const OPERATOR: &str = "operator__";

/// It is the value of an operator of [`with_operator_nets`] and not of the description.
pub fn is_operator_net(net: &Net) -> bool {
    net.name.starts_with(OPERATOR)
}

/// `top` in which the value of each operator of every block is a wire that nothing reads, too: an operator is what takes
/// gates, all but constants, nets, and parts, rows and extensions of other values.
pub fn with_operator_nets(top: &Module) -> Module {
    extended(top, &mut FxHashMap::default())
}

fn extended(module: &Module, known: &mut FxHashMap<usize, Module>) -> Module {
    if let Some(found) = known.get(&module.key()) {
        return found.clone();
    }
    let mut def = ModuleDef::clone(module);
    for child in &mut def.instances {
        child.module = extended(&child.module, known);
    }
    for (id, expr) in def.exprs.iter().enumerate().filter(|(_, expr)| expr.op.takes_gates()) {
        let (name, kind) = (format!("{OPERATOR}{id}"), NetKind::Wire);
        def.nets.push(Net { name, width: expr.width, kind, domain: DomainId::DEFAULT, about: "", source: expr.source });
        def.drivers.push(Some(ExprId(id as u32)));
    }
    def.equal = None;
    let result = super::share::intern(def);
    known.insert(module.key(), result.clone());
    result
}
