//! The hierarchy that is simulated: blocks with an equal one that simulates faster are replaced by it.

use super::{def::*, share};
use rustc_hash::FxHashMap;

/// `top` with each block in it (and itself) replaced by its [equal](ModuleDef::equal); what holds none is left as it is.
pub fn with_equals(top: &Module) -> Module {
    replaced(top, &mut FxHashMap::default())
}

fn replaced(module: &Module, known: &mut FxHashMap<usize, Module>) -> Module {
    if let Some(found) = known.get(&module.key()) {
        return found.clone();
    }
    let chosen = module.equal.as_ref().unwrap_or(module);
    let children: Vec<_> = chosen.instances.iter().map(|child| replaced(&child.module, known)).collect();
    let result = if children.iter().zip(&chosen.instances).all(|(new, child)| new.same(&child.module)) {
        chosen.clone()
    } else {
        let mut def = ModuleDef::clone(chosen);
        def.instances.iter_mut().zip(children).for_each(|(child, new)| child.module = new);
        share::intern(def)
    };
    known.insert(module.key(), result.clone());
    result
}
