//! Several chips for one command: groups of configurations with `+` in between, each with overrides of its own.

use super::{Failure, chip_args::ChipArgs};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches};
use common::short::shortened;
use std::path::PathBuf;

/// What stands between two groups.
const BETWEEN: &str = "+";

/// The arguments as clap knows them; their order is in the matches.
#[derive(Args, Debug)]
struct Flat {
    /// Configuration files, or names of shipped ones (see `warpmesh list`). `+` begins another group, with configurations and `-P` of its
    /// own; without a configuration it has those of the group before.
    #[arg(value_name = "CONFIG")]
    configs: Vec<PathBuf>,
    /// Overrides one value of every configuration of its group, e.g. `-P network.vcs=8`. Repeatable.
    #[arg(short = 'P', long = "param", value_name = "PATH=VALUE")]
    overrides: Vec<String>,
}

/// Configurations that have the same overrides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct ChipGroup {
    configs: Vec<PathBuf>,
    overrides: Vec<String>,
}

/// The chips of a command, shared by `noc` and `compare`.
#[derive(Clone, Debug)]
pub struct ChipGroups(Vec<ChipGroup>);

impl ChipGroups {
    /// A group for each part between `+`; `words` in the order in which they were given.
    fn of(words: Vec<ChipWord>) -> Self {
        let mut groups = vec![ChipGroup::default()];
        for word in words {
            let group = groups.last_mut().expect("there is a first group");
            match word {
                ChipWord::Config(config) if config.as_os_str() == BETWEEN => groups.push(ChipGroup::default()),
                ChipWord::Config(config) => group.configs.push(config),
                ChipWord::Override(text) => group.overrides.push(text),
            }
        }
        Self(groups)
    }

    /// No configuration, and no override, was given.
    pub fn is_empty(&self) -> bool {
        matches!(self.0.as_slice(), [only] if *only == ChipGroup::default())
    }

    /// The chips one by one, and what each is called when there are several: its overrides, without those that all groups have, tell
    /// groups apart. Errors: a group without anything, a key with two values, a chip that is there twice.
    pub fn chips(&self) -> Result<Vec<(ChipArgs, String)>, Failure> {
        let Self(groups) = self;
        let (mut all, mut configs): (Vec<(ChipArgs, String)>, Vec<PathBuf>) = (vec![], vec![]);
        for group in groups {
            if *group == ChipGroup::default() && groups.len() > 1 {
                return Err(Failure::input_message(
                    "an empty group of chips: nothing between two `+`, or before or after one",
                    "give it a configuration or -P: `default -P network.vcs=2 + -P network.vcs=8`",
                ));
            }
            group.refuse_two_values()?;
            if !group.configs.is_empty() {
                configs = group.configs.clone();
            }
            let common =
                |text: &&String| groups.len() > 1 && groups.iter().all(|other| other.overrides.contains(*text));
            let own: Vec<_> = group.overrides.iter().filter(|text| !common(text)).map(String::as_str).collect();
            let suffix: String = own.iter().map(|text| format!(" -P {text}")).collect();
            for chip in ChipArgs::each(&configs, &group.overrides) {
                if all.iter().any(|(other, _)| *other == chip) {
                    return Err(Failure::input_message(
                        format!("`{}` is there twice", shortened(&chip.describe())),
                        "name each chip once; `+` begins a group with -P of its own",
                    ));
                }
                let suffix = if groups.len() > 1 { suffix.clone() } else { String::new() };
                all.push((chip, suffix));
            }
        }
        Ok(all)
    }
}

impl ChipGroup {
    /// All configurations of a group have all its overrides, so one of two values would be lost.
    fn refuse_two_values(&self) -> Result<(), Failure> {
        let parts = |text: &String| {
            let (key, value) = text.split_once('=').unwrap_or((text, ""));
            (key.trim().to_string(), value.trim().to_string())
        };
        let all: Vec<_> = self.overrides.iter().map(parts).collect();
        let twice = all.iter().enumerate().find_map(|(i, (key, value))| {
            let (_, before) = all[..i].iter().find(|(other, _)| other == key)?;
            Some((key, before, value))
        });
        let Some((key, before, value)) = twice else { return Ok(()) };
        let [key, before, value] = [key, before, value].map(|text| shortened(text));
        let config = self.configs.first().map_or("default".into(), |path| path.display().to_string());
        Err(Failure::input_message(
            format!("{key} is set twice, to {before} and to {value}: every configuration has all -P of its group"),
            format!("write `+` between two groups: `{config} -P {key}={before} + {config} -P {key}={value}`"),
        ))
    }
}

/// A configuration (or `+`), or an override.
enum ChipWord {
    Config(PathBuf),
    Override(String),
}

impl Args for ChipGroups {
    fn augment_args(command: Command) -> Command {
        Flat::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Flat::augment_args_for_update(command)
    }
}

impl FromArgMatches for ChipGroups {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let Flat { configs, overrides } = Flat::from_arg_matches(matches)?;
        let places = |name: &str| matches.indices_of(name).into_iter().flatten();
        let configs = places("configs").zip(configs.into_iter().map(ChipWord::Config));
        let overrides = places("overrides").zip(overrides.into_iter().map(ChipWord::Override));
        let mut words: Vec<_> = configs.chain(overrides).collect();
        words.sort_by_key(|(place, _)| *place);
        Ok(Self::of(words.into_iter().map(|(_, word)| word).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct GroupLine {
        #[command(flatten)]
        chips: ChipGroups,
    }

    fn chips(words: &[&str]) -> Result<Vec<(String, String)>, String> {
        let line = GroupLine::try_parse_from([&["x"], words].concat()).expect("arguments");
        let named = |(chip, suffix): (ChipArgs, String)| (chip.describe(), suffix);
        let chips = line.chips.chips().map_err(|failure| failure.reports[0].to_string())?;
        Ok(chips.into_iter().map(named).collect())
    }

    fn pairs(chips: &[(&str, &str)]) -> Result<Vec<(String, String)>, String> {
        Ok(chips.iter().map(|(chip, suffix)| (chip.to_string(), suffix.to_string())).collect())
    }

    #[test]
    fn groups_have_overrides_of_their_own() {
        assert_eq!(chips(&[]), pairs(&[("default", "")]));
        assert_eq!(chips(&["a", "-P", "k=1", "b"]), pairs(&[("a -P k=1", ""), ("b -P k=1", "")]));
        assert_eq!(
            chips(&["a", "-P", "k=1", "+", "-P", "k=2"]),
            pairs(&[("a -P k=1", " -P k=1"), ("a -P k=2", " -P k=2")]),
            "one configuration, two chips"
        );
        assert_eq!(
            chips(&["-P", "k=1", "-P", "all=3", "+", "b", "c", "-P", "all=3"]),
            pairs(&[("default -P k=1 -P all=3", " -P k=1"), ("b -P all=3", ""), ("c -P all=3", "")])
        );
    }

    #[test]
    fn what_would_be_lost_is_refused() {
        let lost = "k is set twice, to 2 and to 8: every configuration has all -P of its group";
        assert_eq!(chips(&["a", "-P", "k=2", "b", "-P", "k = 8"]), Err(lost.into()));
        assert_eq!(chips(&["a", "a"]), Err("`a` is there twice".into()));
        assert_eq!(chips(&["a", "-P", "k=2", "+", "-P", "k=2"]), Err("`a -P k=2` is there twice".into()));
        for empty in [&["a", "+"][..], &["+", "a"], &["a", "+", "+", "b"]] {
            assert_eq!(
                chips(empty),
                Err("an empty group of chips: nothing between two `+`, or before or after one".into())
            );
        }
    }
}
