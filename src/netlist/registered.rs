//! Registered outputs: the rule that makes tiles independent within a clock edge.
//!
//! An output is registered when it is made of register bits alone: wires, slices and joins of registers, constants, and
//! registered outputs of children, with no logic between.

use hdl::*;
use rustc_hash::FxHashMap;

/// Per output of `module` (in port order): is it registered? `child(i)` tells the same of instance `i`'s module.
pub fn registered_outputs<'a>(module: &ModuleDef, child: impl Fn(InstanceId) -> &'a [bool]) -> Vec<bool> {
    let mut known = FxHashMap::default();
    module.outputs.iter().map(|&output| net(module, output, &child, &mut known)).collect()
}

fn net<'a>(
    module: &ModuleDef,
    id: NetId,
    child: &impl Fn(InstanceId) -> &'a [bool],
    known: &mut FxHashMap<NetId, bool>,
) -> bool {
    if let Some(&answer) = known.get(&id) {
        return answer;
    }
    known.insert(id, false); // a loop through here is not registered
    let answer = match &module.net(id).kind {
        NetKind::Register { .. } => true,
        NetKind::Input => false,
        NetKind::InstanceOutput { instance, output } => child(*instance)[*output as usize],
        NetKind::Wire | NetKind::Output => {
            module.drivers[id.index()].is_some_and(|driver| expr(module, driver, child, known))
        }
    };
    known.insert(id, answer);
    answer
}

fn expr<'a>(
    module: &ModuleDef,
    id: ExprId,
    child: &impl Fn(InstanceId) -> &'a [bool],
    known: &mut FxHashMap<NetId, bool>,
) -> bool {
    match &module.expr(id).op {
        Op::Const(_) => true,
        Op::Net(n) => net(module, *n, child, known),
        Op::Slice { value, .. } | Op::Unary(UnaryOp::ZeroExtend | UnaryOp::SignExtend, value) => {
            expr(module, *value, child, known)
        }
        Op::Concat(parts) => parts.iter().all(|&p| expr(module, p, child, known)),
        _ => false,
    }
}
