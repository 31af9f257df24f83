//! The order of the work: from units to kernels.
//!
//! A kernel is the work of one bundle that is done in one go, with a loop over the bundle's words. Units become ready
//! when what they need is done; a kernel takes all ready units of a bundle, and those that become ready by them.

use super::build::{Key, Unit};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// One step of an evaluation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum KernelStep {
    /// These units of one bundle.
    Kernel(Vec<Key>),
    /// Memory read: bundle and number.
    Read(usize, usize),
}

/// All units, ordered; or those that wait for each other.
pub(super) fn order(units: &FxHashMap<Key, Unit>) -> Result<Vec<KernelStep>, Vec<Key>> {
    let mut keys: Vec<Key> = units.keys().copied().collect();
    keys.sort();
    let mut waits: FxHashMap<Key, usize> = keys.iter().map(|k| (*k, units[k].needs.len())).collect();
    let mut users: FxHashMap<Key, Vec<Key>> = FxHashMap::default();
    for &key in &keys {
        units[&key].needs.iter().for_each(|&need| users.entry(need).or_default().push(key));
    }
    let mut ready: BTreeSet<Key> = keys.iter().copied().filter(|k| waits[k] == 0).collect();
    let mut steps = vec![];
    let mut left = keys.len();
    while !ready.is_empty() {
        let mut finish = |key: Key, ready: &mut BTreeSet<Key>| {
            left -= 1;
            for user in users.get(&key).into_iter().flatten() {
                let wait = waits.get_mut(user).expect("users are units");
                *wait -= 1;
                if *wait == 0 {
                    ready.insert(*user);
                }
            }
        };
        // Memory reads first, others may wait for them; sinks last, nobody does.
        if let Some(&Key::Read(bundle, number)) = ready.iter().find(|k| matches!(k, Key::Read(..))) {
            let key = Key::Read(bundle, number);
            ready.remove(&key);
            finish(key, &mut ready);
            steps.push(KernelStep::Read(bundle, number));
            continue;
        }
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        for key in &ready {
            *counts.entry(key.bundle()).or_default() += usize::from(!matches!(key, Key::Sinks(_)));
        }
        let most = counts.iter().max_by_key(|&(&bundle, &count)| (count, usize::MAX - bundle));
        let bundle = *most.expect("something is ready").0;
        let mut kernel = vec![];
        while let Some(&key) = ready.iter().find(|k| k.bundle() == bundle && !matches!(k, Key::Read(..))) {
            ready.remove(&key);
            kernel.push(key);
            finish(key, &mut ready);
        }
        steps.push(KernelStep::Kernel(kernel));
    }
    if left > 0 {
        return Err(keys.into_iter().filter(|k| waits[k] > 0).collect());
    }
    Ok(steps)
}
