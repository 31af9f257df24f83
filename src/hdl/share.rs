//! Equal descriptions are one shared module.
//!
//! Modules are compared by what they describe (everything but source positions). The table holds weak references: a
//! block that nobody uses any more is dropped. Two different descriptions may have one name here, as they may belong to
//! different designs; within one, elaboration reports them.

use super::def::*;
use std::{
    collections::HashMap,
    fmt::Write,
    sync::{Arc, Mutex, OnceLock, Weak},
};
use xxhash_rust::xxh3::xxh3_128;

type SharingTable = HashMap<String, Vec<(String, Weak<ModuleDef>)>>;

fn table() -> &'static Mutex<SharingTable> {
    static TABLE: OnceLock<Mutex<SharingTable>> = OnceLock::new();
    TABLE.get_or_init(Default::default)
}

/// The shared module equal to `def`.
pub(super) fn intern(mut def: ModuleDef) -> Module {
    let content = content(&def);
    def.digest = xxh3_128(content.as_bytes());
    let mut table = table().lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let same_name = table.entry(def.name.clone()).or_default();
    same_name.retain(|(_, weak)| weak.strong_count() > 0);
    if let Some(shared) = same_name.iter().find(|(c, _)| *c == content).and_then(|(_, weak)| weak.upgrade()) {
        return Module(shared);
    }
    let shared = Arc::new(def);
    same_name.push((content, Arc::downgrade(&shared)));
    Module(shared)
}

/// Everything that makes a description, in one string; children by their digests.
fn content(def: &ModuleDef) -> String {
    let mut out = String::new();
    let mut put = |thing: &dyn std::fmt::Debug| write!(out, "{thing:?};").expect("writing to a string succeeds");
    put(&(&def.kind, &def.params, &def.doc, &def.inputs, &def.outputs, &def.drivers));
    for net in &def.nets {
        put(&(&net.name, net.width, &net.kind, net.domain));
    }
    for expr in &def.exprs {
        put(&(&expr.op, expr.width));
    }
    for memory in &def.memories {
        put(&(&memory.name, memory.depth, memory.width, memory.domain, memory.crossing));
    }
    for child in &def.instances {
        put(&(&child.name, child.module.digest, child.tile, &child.inputs, &child.domains));
    }
    for port in &def.writes {
        put(&(port.memory, port.enable, port.address, port.data, port.mask));
    }
    for probe in &def.probes {
        put(&(&probe.name, probe.statistic, probe.kind, probe.enable, probe.value, probe.domain));
    }
    for claim in &def.assertions {
        put(&(&claim.message, claim.condition, claim.domain));
    }
    for domain in &def.domains {
        put(&(&domain.name, domain.used));
    }
    put(&(def.intrinsic.map(|t| t.name), &def.synchronisers, &def.problems));
    out
}
