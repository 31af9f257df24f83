//! A configuration, and the same with one key changed.

use super::signature;
use crate::exports::{chips, draw::Draw};
use std::{collections::HashMap, fmt};
use warpmesh::{
    area::{inventory, structure::Counting},
    chip::{Chip, ChipConfig, MemoryModel, NetworkModel, build, idle_keys, load, read, saturated_values},
    common::{
        condition::{value, value_mut, written},
        parameters::{Allowed, Parameter, Parameters},
    },
    core::Latencies,
    netlist::elaborate,
};

/// A configuration of a seed, and a change of it.
#[derive(Clone)]
pub struct Change {
    /// As `-P` takes them.
    before: Vec<String>,
    key: String,
    from: String,
    to: String,
}

/// The command that does it.
impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} from {} to {}\nwarpmesh check", self.key, self.from, self.to)?;
        self.before.iter().try_for_each(|text| write!(f, " -P '{text}'"))?;
        write!(f, " -P '{}={}'", self.key, self.to)
    }
}

/// What has become of a change.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Another chip.
    Changed,
    /// Another chip of the same area as built, though the key is not one of [`NUMBERS`].
    SameArea,
    /// The key has no effect, and it is said, and true.
    Idle,
    /// The value is refused for another reason.
    Refused,
    /// A value beyond which nothing changes, before or now, and it is said, and true.
    Saturated,
    /// The same chip by what the key means: see [`is_another_name`].
    Meant,
    /// The same chip, without a word.
    Silent,
}

/// Changes a random key of the random configuration of `seed`.
pub fn change(seed: u64) -> Result<(Change, Outcome), String> {
    // Apart from that of the configuration.
    let mut draw = Draw::new(seed ^ 0x6b65_7973);
    let mut parameters = vec![];
    ChipConfig::describe("", &mut parameters);
    parameters.retain(|parameter| parameter.path != "base");
    let (config, chip) = configuration(seed, &mut draw);
    let table = toml::Table::try_from(&config).expect("a table");
    let idle = idle_keys(&config);
    let before = overrides(&table, &parameters, &idle);
    // Most keys of most configurations have no effect: those that have are chosen more often.
    let of_idle = draw.chance(0.25);
    let candidates: Vec<_> = parameters.iter().filter(|p| idle.contains_key(&p.path) == of_idle).collect();
    let (parameter, to) = loop {
        let parameter = draw.one_of(&candidates);
        if let Some(to) = other_value(parameter, &table, &mut draw) {
            break (parameter, to);
        }
    };
    let from = value(&table, &parameter.path).map(ToString::to_string).unwrap_or_default();
    let key = parameter.path.clone();
    let change = Change { before, key, from, to: to.to_string() };
    let outcome = outcome(&change, &config, &chip, to).map_err(|said| format!("{said}\n{change}"))?;
    Ok((change, outcome))
}

fn outcome(change: &Change, config: &ChipConfig, chip: &Chip, to: toml::Value) -> Result<Outcome, String> {
    let loaded = load(None, &change.before).map_err(|error| format!("the configuration is refused: {error}"))?;
    let signature_before = signature(chip)?;
    if signature(&loaded)? != signature_before {
        return Err(format!("without them it is another chip: {}", needed(config, signature_before).join(", ")));
    }
    let mut overrides = change.before.clone();
    overrides.push(format!("{}={}", change.key, change.to));
    match load(None, &overrides) {
        Ok(after) => {
            let changed = read(None, &overrides).map_err(|error| error.to_string())?.config;
            let before = saturated(config, &change.key)?;
            let now = saturated(&changed, &change.key)?;
            names_tell_apart(&loaded, &after)?;
            match signature(&after)? == signature_before {
                false if before && now => {
                    Err("it is said that both values are beyond a bound, and the chip is another one".into())
                }
                false if !is_number(&change.key) && built(chip)? == built(&after)? => Ok(Outcome::SameArea),
                false => Ok(Outcome::Changed),
                true if before || now => Ok(Outcome::Saturated),
                true if is_another_name(change, [config, &changed]) => Ok(Outcome::Meant),
                true => Ok(Outcome::Silent),
            }
        }
        Err(error) if error.to_string().contains(&format!("{} has no effect", change.key)) => {
            // Is it true?
            let mut table = toml::Table::try_from(config).expect("a table");
            *value_mut(&mut table, &change.key).expect("there are all keys") = to;
            let forced: ChipConfig = table.try_into().expect("a legal value");
            match Chip::new(&forced) {
                Ok(forced) if signature(&forced)? != signature_before => Err("it has an effect".into()),
                _ => Ok(Outcome::Idle),
            }
        }
        // A switch may make other keys of the configuration meaningless.
        Err(_) => Ok(Outcome::Refused),
    }
}

/// Modules of one name are the same in both chips.
fn names_tell_apart(before: &Chip, after: &Chip) -> Result<(), String> {
    let modules = |chip: &Chip| {
        let design = build(chip)
            .map_err(|error| error.to_string())
            .and_then(|top| elaborate(&top).map_err(|e| e.to_string()))?;
        Ok::<_, String>(design.modules.into_iter().map(|elaborated| elaborated.module).collect::<Vec<_>>())
    };
    let (before, after) = (modules(before)?, modules(after)?);
    let known: HashMap<_, _> = before.iter().map(|module| (&module.name, module)).collect();
    let clash = after.iter().find(|module| known.get(&module.name).is_some_and(|known| !known.same(module)));
    clash.map_or(Ok(()), |module| Err(format!("two different modules are called `{}`", module.name)))
}

/// Keys that are numbers in hardware which is there anyway, or of what is not on the chip: the area need not change.
const NUMBERS: [&str; 14] = [
    "name",
    "clocks.",
    "core.blocks",
    "core.latencies",
    "core.latency.",
    "core.initiation_interval.",
    "core.register_file",
    "core.throttle.divergence",
    "core.throttle.min_cycles",
    "memory.address_map",
    "memory.min_latency",
    "memory.timing.",
    "network.ideal_",
    "network.placement",
];

fn is_number(key: &str) -> bool {
    NUMBERS.iter().any(|of| key == *of || of.ends_with(['.', '_']) && key.starts_with(of))
}

/// Area as built, um^2: cells and arrays.
fn built(chip: &Chip) -> Result<f64, String> {
    let top = build(chip).map_err(|error| error.to_string())?;
    let design = elaborate(&top).map_err(|mistakes| mistakes.to_string())?;
    Ok(inventory(&design, &Counting::default()).iter().map(|tile| 1e6 * tile.mm2(65)).sum())
}

/// Whether it is said that nothing changes beyond the value of a key, which must be true.
fn saturated(config: &ChipConfig, key: &str) -> Result<bool, String> {
    let Some(found) = saturated_values(config).into_iter().find(|found| found.path == key) else { return Ok(false) };
    let mut table = toml::Table::try_from(config).expect("a table");
    *value_mut(&mut table, key).expect("there are all keys") = found.same_as.into();
    let same: ChipConfig = table.try_into().expect("a legal value");
    let [chip, same] = [config, &same].map(|config| Chip::new(config).map_err(|error| error.to_string()));
    match signature(&chip?)? == signature(&same?)? {
        true => Ok(true),
        false => Err(format!("it is said to be the same as {}, and is not: {}", found.same_as, found.reason)),
    }
}

/// Values that mean the same: 0 and the number that it stands for, or numbers between which a key in whole steps does
/// nothing.
fn is_another_name(change: &Change, configs: [&ChipConfig; 2]) -> bool {
    let values = [&change.from, &change.to];
    match change.key.as_str() {
        // 0: as the preset has it.
        key if key.starts_with("core.latency.") || key.starts_with("core.initiation_interval.") => {
            let [before, now] = configs.map(|ChipConfig { core, .. }| {
                Latencies::new(
                    core.latencies,
                    (core.latency, core.initiation_interval),
                    core.execute_stages,
                    core.lanes,
                )
            });
            values.iter().any(|value| *value == "0") && before == now
        }
        // 0: "of all warps", "one for each lane", "as `t_cl`", "as many as it takes".
        "core.register_file"
        | "core.shared_banks"
        | "memory.timing.t_wl"
        | "core.tag_bits"
        | "network.reply_injection_links"
        | "network.request_vcs"
        | "network.reply_vcs"
        | "network.request_vc_depth"
        | "network.reply_vc_depth"
        | "network.request_channel_bytes"
        | "network.reply_channel_bytes" => values.iter().any(|value| *value == "0"),
        // A link of 4 tiles takes 2 cycles with 2 tiles a cycle and with 3.
        "network.tiles_per_cycle" => true,
        // On a small chip several rules find the same nodes.
        "network.placement" => true,
        // Schedulers and throttles that go by it have it anyway, as its meaning says.
        "cache.l1d.warp_locality" => true,
        // A beat of 16 lanes is half a warp, one of 32 a warp.
        "core.shared_conflict_group" => values.iter().any(|value| value.contains("lanes")),
        _ => false,
    }
}

/// Keys that are said to have no effect, and have one when they are set to their defaults alone.
fn needed(config: &ChipConfig, signature_before: u64) -> Vec<String> {
    let (table, defaults) = (toml::Table::try_from(config), toml::Table::try_from(ChipConfig::default()));
    let (table, defaults) = (table.expect("a table"), defaults.expect("a table"));
    let changes = |path: &&String| {
        let mut table = table.clone();
        *value_mut(&mut table, path).expect("there are all keys") =
            value(&defaults, path).expect("there are all keys").clone();
        let changed: ChipConfig = table.try_into().expect("legal values");
        Chip::new(&changed).is_ok_and(|chip| signature(&chip) != Ok(signature_before))
    };
    idle_keys(config).keys().filter(changes).cloned().collect()
}

/// A small chip of all kinds, behavioural ones among them.
fn configuration(seed: u64, draw: &mut Draw) -> (ChipConfig, Chip) {
    let config = chips::config(seed);
    let mut changed = config.clone();
    match draw.uniform(0, 5) {
        0 => {
            changed.network.model = NetworkModel::Ideal;
            match draw.uniform(0, 2) {
                0 => changed.network.ideal_bytes = draw.range(1, 65_536),
                1 => changed.network.ideal_flits = draw.range(1, 4096),
                _ => {}
            }
        }
        1 => changed.memory.model = MemoryModel::Perfect,
        _ => {}
    }
    match Chip::new(&changed) {
        Ok(chip) => (changed, chip),
        Err(_) => {
            let chip = Chip::new(&config).expect("it was drawn until it is legal");
            (config, chip)
        }
    }
}

/// What says this configuration, from the defaults: without keys that have no effect.
fn overrides(
    table: &toml::Table,
    parameters: &[Parameter],
    idle: &std::collections::HashMap<String, String>,
) -> Vec<String> {
    let set = parameters.iter().filter(|parameter| !idle.contains_key(&parameter.path)).filter_map(|parameter| {
        let value = value(table, &parameter.path)?;
        (value.to_string() != parameter.default).then(|| format!("{}={value}", parameter.path))
    });
    set.collect()
}

/// A legal value other than the one that there is.
fn other_value(parameter: &Parameter, table: &toml::Table, draw: &mut Draw) -> Option<toml::Value> {
    let now = value(table, &parameter.path)?;
    let names = parameter.names();
    for _ in 0..20 {
        let other: toml::Value = match parameter.range {
            Some(Allowed::Numbers(0, 0)) => return None,
            Some(Allowed::Numbers(0, high)) if draw.chance(0.2) => (if draw.chance(0.5) { 0 } else { high }).into(),
            Some(Allowed::Numbers(low, high)) => draw.range(low.max(1), high).into(),
            Some(Allowed::Powers(low, high)) => draw.power(low, high).into(),
            Some(Allowed::Kibibytes(low, high)) => (1024 * draw.range(low / 1024, high / 1024)).into(),
            None if parameter.is_switch() => (!now.as_bool()?).into(),
            None if !names.is_empty() => draw.one_of(&names).name.into(),
            None if parameter.path == "name" => "another".into(),
            // Lists of nodes.
            None => toml::Value::Array(vec![draw.uniform(0, 15).into()]),
        };
        if written(&other) != written(now) {
            return Some(other);
        }
    }
    None
}
