//! Equal descriptions are one shared module.
//!
//! Modules are compared by what they describe (everything but source positions). The table holds weak references: a
//! block that nobody uses any more is dropped. Two different descriptions may have one name here, as they may belong to
//! different designs; within one, elaboration reports them.

use super::def::*;
use rustc_hash::FxHashMap;
use std::{
    hash::Hash,
    sync::{Arc, Mutex, OnceLock, Weak},
};
use xxhash_rust::xxh3::Xxh3;

/// By name.
type SharingTable = FxHashMap<String, Vec<Weak<ModuleDef>>>;

fn table() -> &'static Mutex<SharingTable> {
    static TABLE: OnceLock<Mutex<SharingTable>> = OnceLock::new();
    TABLE.get_or_init(Default::default)
}

/// The shared module equal to `def`.
pub(super) fn intern(mut def: ModuleDef) -> Module {
    def.digest = digest(&def);
    let mut table = table().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let same_name = table.entry(def.name.clone()).or_default();
    same_name.retain(|weak| weak.strong_count() > 0);
    if let Some(shared) = same_name.iter().filter_map(Weak::upgrade).find(|shared| shared.digest == def.digest) {
        return Module(shared);
    }
    let shared = Arc::new(def);
    same_name.push(Arc::downgrade(&shared));
    Module(shared)
}

/// Of everything that makes a description; children by their digests. 128 bits: no two descriptions of one name have the same.
fn digest(def: &ModuleDef) -> u128 {
    let mut hasher = Xxh3::new();
    let mut put = |thing: &dyn HashInto| thing.hash_into(&mut hasher);
    put(&(&def.kind, &def.params, &def.doc, &def.inputs, &def.outputs, &def.drivers));
    put(&def.nets.len());
    for net in &def.nets {
        put(&(&net.name, net.width, &net.kind, net.domain, net.about));
    }
    put(&def.exprs.len());
    for expr in &def.exprs {
        put(&(&expr.op, expr.width));
    }
    put(&def.memories.len());
    for memory in &def.memories {
        put(&(&memory.name, memory.depth, memory.width, memory.domain, memory.crossing));
    }
    put(&def.instances.len());
    for child in &def.instances {
        put(&(&child.name, child.module.digest, child.tile, &child.inputs, &child.domains));
    }
    put(&def.writes.len());
    for port in &def.writes {
        put(&(port.memory, port.enable, port.address, port.data, port.mask));
    }
    put(&def.probes.len());
    for probe in &def.probes {
        put(&(&probe.name, probe.statistic, probe.kind, probe.enable, probe.value, probe.domain));
    }
    put(&def.taps.len());
    for (tap, net) in &def.taps {
        put(&(tap, net));
    }
    put(&def.groups.len());
    for group in &def.groups {
        put(&(&group.name, group.bundle, group.inputs, &group.fields));
    }
    put(&def.assertions.len());
    for claim in &def.assertions {
        put(&(&claim.message, claim.condition, claim.domain));
    }
    put(&def.domains.len());
    for domain in &def.domains {
        put(&(&domain.name, domain.used));
    }
    put(&def.problems.len());
    for problem in &def.problems {
        put(&(problem.kind, &problem.message));
    }
    put(&(&def.layouts, &def.values));
    put(&(def.intrinsic.map(|t| t.name), def.equal.as_ref().map(|equal| equal.digest), &def.synchronisers));
    hasher.digest128()
}

/// What can be hashed, for a list of things of several types.
trait HashInto {
    fn hash_into(&self, hasher: &mut Xxh3);
}

impl<T: Hash> HashInto for T {
    fn hash_into(&self, hasher: &mut Xxh3) {
        self.hash(hasher);
    }
}
