//! Names that values of arguments may be: configurations, keys, kernels, parameters, statistics, blocks, passes.

use clap::{Arg, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use common::parameters::{Allowed, Parameter, Parameters, schema};
use program::kernels;
use rtl::{
    chip::{self, ChipConfig, EMBEDDED},
    registry,
};
use serde_json::Value;
use sim::Pass;
use std::{env, ffi::OsStr, path::Path};

/// `program` with candidates for its arguments, in all commands.
pub fn attached(program: Command) -> Command {
    program.mut_args(with_names).mut_subcommands(attached)
}

fn with_names(arg: Arg) -> Arg {
    let names: fn(&str) -> Vec<Name> = match arg.get_id().as_str() {
        "config" | "configs" => return arg.add(ArgValueCompleter::new(configurations)),
        "wave" | "wave_view" | "issue_trace" | "trace" | "args" | "program" => {
            return arg.add(ArgValueCompleter::new(PathCompleter::any()));
        }
        "overrides" => settings,
        "vary" => varied,
        "kernel" => |_| kernels::every().map(|kernel| Name::new(kernel.name, kernel.about)).collect(),
        "kernel_params" => |_| kernel_params(),
        "stats" => statistics,
        "block" => |_| registry::blocks().into_iter().map(|block| Name::new(block.name, block.about)).collect(),
        "instance" => instances,
        "passes" => passes,
        _ => return arg,
    };
    arg.add(ArgValueCompleter::new(move |current: &OsStr| {
        let current = current.to_str().unwrap_or("");
        let names = names(current).into_iter().filter(|name| name.text.starts_with(current));
        names.map(Name::candidate).collect::<Vec<_>>()
    }))
}

/// A candidate and its meaning.
struct Name {
    text: String,
    about: String,
}

impl Name {
    fn new(text: impl Into<String>, about: impl Into<String>) -> Self {
        Self { text: text.into(), about: about.into() }
    }

    fn candidate(self) -> CompletionCandidate {
        let about = Some(self.about).filter(|about| !about.is_empty());
        CompletionCandidate::new(self.text).help(about.map(Into::into))
    }
}

/// Shipped configurations, and files.
fn configurations(current: &OsStr) -> Vec<CompletionCandidate> {
    let about = |text: &str| text.lines().next().unwrap_or("").trim_start_matches("# ").to_string();
    let shipped = EMBEDDED.iter().map(|(file, text)| Name::new(file.trim_end_matches(".toml"), about(text)));
    let shipped = shipped.filter(|name| name.text.starts_with(&*current.to_string_lossy())).map(Name::candidate);
    let files = PathCompleter::any().filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    shipped.chain(files.complete(current)).collect()
}

/// Parameters, of the kernel that is named before or else of all.
fn kernel_params() -> Vec<Name> {
    let kernel = said("--kernel");
    let of = kernels::every().filter(|known| kernel.as_ref().is_none_or(|kernel| known.name == kernel));
    let mut all: Vec<_> = of.flat_map(|kernel| kernel.params()).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    all.dedup_by(|a, b| a.path == b.path);
    all.into_iter().map(|param| Name::new(format!("{}=", param.path), param.about)).collect()
}

/// Kinds of blocks, and behind the dot what they count.
fn statistics(current: &str) -> Vec<Name> {
    let all = rtl::statistics();
    if current.contains('.') {
        return all.iter().map(|kept| Name::new(format!("{}.{}", kept.block, kept.name), kept.about)).collect();
    }
    let mut blocks: Vec<_> = all.iter().map(|kept| Name::new(kept.block, "")).collect();
    blocks.dedup_by(|a, b| a.text == b.text);
    // The one that is meant: go on with what it counts.
    let mut found = blocks.iter().filter(|block| block.text.starts_with(current));
    match (found.next(), found.next()) {
        (Some(block), None) => {
            let of = all.iter().filter(|kept| kept.block == block.text);
            let counted = of.map(|kept| Name::new(format!("{}.{}", kept.block, kept.name), kept.about));
            [Name::new(block.text.clone(), "all of them")].into_iter().chain(counted).collect()
        }
        _ => blocks,
    }
}

/// What is in the instance of the chip that was named, or of the default one, up to the last dot.
fn instances(current: &str) -> Vec<Name> {
    let config =
        env::args_os().map(|word| word.to_string_lossy().into_owned()).skip_while(|word| word != "--").find(|word| {
            word.ends_with(".toml") || EMBEDDED.iter().any(|(file, _)| file.trim_end_matches(".toml") == word)
        });
    let chip = chip::load(config.as_deref().map(Path::new), &[]).ok();
    let Some(mut module) = chip.and_then(|chip| chip::build(&chip).ok()) else { return vec![] };
    let before = current.rfind('.').map_or("", |dot| &current[..=dot]);
    for name in before.split_terminator('.') {
        let Some(instance) = module.instances.iter().find(|instance| instance.name == name) else { return vec![] };
        module = instance.module.clone();
    }
    let name = |instance: &hdl::Instance| Name::new(format!("{before}{}", instance.name), instance.module.kind.clone());
    module.instances.iter().map(name).collect()
}

/// `all`, `none`, and passes to have or to leave out; those before a comma stay.
fn passes(current: &str) -> Vec<Name> {
    let before = current.rfind(',').map_or("", |comma| &current[..=comma]);
    let words = Pass::ALL.iter().flat_map(|pass| {
        [
            Name::new(format!("{before}{}", pass.name()), pass.about()),
            Name::new(format!("{before}-{}", pass.name()), pass.about()),
        ]
    });
    let ends =
        [("all", "every pass"), ("none", "no pass")].map(|(word, about)| Name::new(format!("{before}{word}"), about));
    ends.into_iter().chain(words).collect()
}

/// Keys of a configuration, or parameters of the block that is named before; behind `=` the values of the key.
fn settings(current: &str) -> Vec<Name> {
    let key = current.split_once('=').map(|(key, _)| key);
    let block = said("--block").and_then(|name| registry::BlockKind::find(&name).ok());
    match (block, key) {
        (Some(block), None) => block.parameters.iter().map(|p| Name::new(format!("{}=", p.name), p.about)).collect(),
        (Some(block), Some(key)) => {
            let of = block.parameters.iter().find(|parameter| parameter.name == key);
            of.map_or(vec![], |p| match p.range {
                Some(range) => numbers(key, range, &p.default.to_string()),
                None => p.names().into_iter().map(|name| Name::new(format!("{key}={name}"), "")).collect(),
            })
        }
        (None, None) => keys().into_iter().map(|p| Name::new(format!("{}=", p.path), p.about)).collect(),
        (None, Some(key)) => keys().iter().find(|p| p.path == key).map_or(vec![], values),
    }
}

/// Keys of a configuration; behind `=` the values of the key, with those before the last comma.
fn varied(current: &str) -> Vec<Name> {
    let Some((key, given)) = current.split_once('=') else {
        return keys().into_iter().map(|p| Name::new(format!("{}=", p.path), p.about)).collect();
    };
    let before = given.rfind(',').map_or("", |comma| &given[..=comma]);
    let of = keys().into_iter().find(|parameter| parameter.path == key);
    let all = of.map_or(vec![], |parameter| values(&parameter));
    let value = |name: Name| {
        let value = name.text.split_once('=').map_or("", |(_, value)| value);
        Name::new(format!("{key}={before}{value}"), name.about.clone())
    };
    all.into_iter().map(value).collect()
}

fn keys() -> Vec<Parameter> {
    let mut all = vec![];
    ChipConfig::describe("", &mut all);
    all
}

/// Values of a key of the configuration, as `key=value`.
fn values(parameter: &Parameter) -> Vec<Name> {
    let Parameter { path, field: (table, field), range, default, .. } = parameter;
    if let Some(range) = range {
        return numbers(path, *range, default);
    }
    let schema = schema::<ChipConfig>();
    let of_table = schema.pointer(&format!("/$defs/{table}/properties/{field}"));
    let mut found = vec![];
    constants(of_table.unwrap_or(&schema["properties"][field]), &schema, &mut found);
    found.into_iter().map(|name| Name::new(format!("{path}={}", name.text), name.about)).collect()
}

/// The constants that a part of the schema allows, with their meanings.
fn constants(part: &Value, schema: &Value, found: &mut Vec<Name>) {
    let about = part["description"].as_str().unwrap_or("");
    if part["type"] == "boolean" {
        found.extend(["true", "false"].map(|value| Name::new(value, "")));
    }
    let own = part["const"].as_str();
    let listed = part["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    found.extend(own.into_iter().chain(listed).map(|value| Name::new(value, about)));
    if let Some(definition) = part["$ref"].as_str().and_then(|name| schema.pointer(name.trim_start_matches('#'))) {
        constants(definition, schema, found);
    }
    let parts = ["oneOf", "anyOf", "allOf"].iter().filter_map(|name| part[name].as_array()).flatten();
    parts.for_each(|part| constants(part, schema, found));
}

/// The powers of two that are allowed, or else the default, as `key=value`.
fn numbers(key: &str, allowed: Allowed, default: &str) -> Vec<Name> {
    let named = |value: &dyn std::fmt::Display, about: String| Name::new(format!("{key}={value}"), about);
    match allowed {
        Allowed::Powers(..) => {
            let powers = (0..32).map(|bit| 1u32 << bit).filter(|&power| allowed.has(power));
            powers.map(|power| named(&power, String::new())).collect()
        }
        Allowed::Numbers(..) | Allowed::Kibibytes(..) => vec![named(&default, format!("default; {allowed}"))],
    }
}

/// The value of an option, among the words of the command line to complete; bash gives `=` as a word of its own.
fn said(option: &str) -> Option<String> {
    let words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let mut words = words.skip_while(|word| word != "--").filter(|word| word != "=");
    let joined = format!("{option}=");
    while let Some(word) = words.next() {
        if word == option {
            return words.next();
        }
        if let Some(value) = word.strip_prefix(&joined) {
            return Some(value.to_string());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    /// Values that are numbers, shapes or patterns of numbers, or words of another program: there is nothing to complete.
    const FREE: [&str; 15] = [
        "N",
        "BITS",
        "S",
        "P",
        "LOAD,FROM..TO/STEP,...",
        "FROM..TO",
        "PATTERN",
        "SIZES",
        "LIST",
        "NM",
        "CYCLES:DUTY",
        "PORT",
        "K/N",
        "PARTITION",
        "OPTION",
    ];

    #[test]
    fn every_value_completes_or_is_a_number() {
        fn check(command: &Command, left: &mut Vec<String>) {
            // Hidden ones are options of earlier versions.
            let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
            for arg in shown.filter(|arg| arg.get_action().takes_values()) {
                let possible = !arg.get_possible_values().is_empty();
                let path = arg.get_value_hint() != clap::ValueHint::Unknown;
                let named =
                    arg.get_value_names().is_some_and(|names| names.iter().any(|name| FREE.contains(&name.as_str())));
                if !possible && !path && !named && arg.get::<ArgValueCompleter>().is_none() {
                    left.push(format!("{} {arg}", command.get_name()));
                }
            }
            command
                .get_subcommands()
                .filter(|command| command.get_name() != "help")
                .for_each(|command| check(command, left));
        }
        let mut left = vec![];
        let mut program = attached(crate::Cli::command());
        program.build();
        check(&program, &mut left);
        assert!(left.is_empty(), "without candidates: {left:?}");
    }

    #[test]
    fn every_key_that_is_no_number_has_values() {
        let lists = [
            "empty_nodes",
            "disabled_rows",
            "disabled_columns",
            "faulty_routers",
            "faulty_links",
            "graph.nodes",
            "graph.links",
            "graph.one_way_links",
        ];
        let free =
            |key: &str| ["base", "name"].contains(&key) || lists.iter().any(|list| key == format!("network.{list}"));
        for parameter in keys().iter().filter(|parameter| !free(&parameter.path)) {
            let found = values(parameter);
            assert!(!found.is_empty(), "{}", parameter.path);
            let start = format!("{}=", parameter.path);
            assert!(found.iter().all(|name| name.text.len() > start.len() && name.text.starts_with(&start)));
        }
    }
}
