//! `--instance`: a block of a chip as it is built there, without the chip around it.

use super::{
    Failure,
    chip_args::{ChipArgs, design},
    part::Part,
};
use common::names::{did_you_mean, near};
use hdl::Module;
use netlist::elaborate;
use rtl::chip::Chip;

/// Kinds of names that a message lists.
const MOST: usize = 12;

/// An instance of a chip.
pub struct Chosen {
    /// Its netlist; called `core0.front_end of small`.
    pub part: Part,
    /// Its clock domains that clocks of the chip drive.
    pub clocks: Vec<DrivenDomain>,
}

/// A clock domain of a block, and the clock of the chip that drives it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DrivenDomain {
    /// As the block calls it.
    pub name: String,
    /// Part of the chip after which the clock is called: `noc`.
    pub clock: &'static str,
    /// Its frequency.
    pub megahertz: u32,
}

impl Chosen {
    /// The instance at `path`, names with dots between: `core0.front_end`.
    pub fn new(path: &str, args: &ChipArgs) -> Result<Self, Failure> {
        let chip = args.chip()?;
        let top = design(&chip)?.top;
        let (module, domains) = find(&top, path)?;
        let design = elaborate(&module).map_err(|mistakes| Failure::new(1, mistakes))?;
        let command = format!("export {} --instance {path}", args.describe());
        let part = Part { name: format!("{path} of {}", args.describe()), command, design };
        Ok(Self { clocks: driven(&chip, &part, &domains), part })
    }
}

/// Frequency of a clock domain, MHz.
pub fn megahertz(clocks: &[DrivenDomain], domain: &str) -> Option<f64> {
    clocks.iter().find(|clock| clock.name == domain).map(|clock| f64::from(clock.megahertz))
}

/// The module at `path`, and the chip's name for each of its clock domains.
fn find(top: &Module, path: &str) -> Result<(Module, Vec<String>), Failure> {
    let (mut module, mut around) = (top.clone(), String::new());
    let mut domains: Vec<usize> = (0..top.domains.len()).collect();
    // Waveforms have the name of the top before.
    let names: Vec<_> = path.split('.').collect();
    let names = match names[..] {
        [first, ref rest @ ..] if !rest.is_empty() && (first == top.kind || first == top.name) => rest,
        _ => &names,
    };
    for &name in names {
        let Some(instance) = module.instances.iter().find(|instance| instance.name == name) else {
            return Err(unknown(&module, &around, path, name));
        };
        domains = instance.outer_domains(&domains);
        around = if around.is_empty() { name.to_string() } else { format!("{around}.{name}") };
        module = instance.module.clone();
    }
    Ok((module, domains.into_iter().map(|at| top.domains[at].name.clone()).collect()))
}

/// No instance of `module`, which is at `around`, is called `name`.
fn unknown(module: &Module, around: &str, path: &str, name: &str) -> Failure {
    let (place, before) = match around {
        "" => ("the chip".to_string(), String::new()),
        _ => (format!("`{around}`"), format!("{around}.")),
    };
    let names: Vec<_> = module.instances.iter().map(|instance| instance.name.as_str()).collect();
    let wanted = if name.is_empty() { "without a name".to_string() } else { format!("`{name}`") };
    let like: Vec<_> = near(name, names.iter().copied()).into_iter().map(|name| format!("{before}{name}")).collect();
    let help = match (&like[..], &names[..]) {
        ([_, ..], _) => did_you_mean(&like),
        ([], []) => format!("{place} is made of no other blocks"),
        ([], [..]) => {
            let ranges = ranges(&names);
            let more = ranges.len().saturating_sub(MOST);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("{place} has {}{more}", ranges.into_iter().take(MOST).collect::<Vec<_>>().join(", "))
        }
    };
    Failure::input_message(format!("--instance {path}: {place} has no instance {wanted}"), help)
}

/// Names that differ only in their last number are one range: `core0 to core11`, `crossing0 to crossing35 (28)`.
fn ranges(names: &[&str]) -> Vec<String> {
    let split = |name: &'_ str| name.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let alike = |a: &str, b: &str| split(a) < a.len() && split(b) < b.len() && a[..split(a)] == b[..split(b)];
    let mut rows: Vec<Vec<&str>> = vec![];
    for &name in names {
        match rows.iter_mut().find(|row| alike(row[0], name)) {
            Some(row) => row.push(name),
            None => rows.push(vec![name]),
        }
    }
    let range = |row: Vec<&str>| {
        let stem = &row[0][..split(row[0])];
        let numbers: Vec<u64> = row.iter().filter_map(|name| name[stem.len()..].parse().ok()).collect();
        match (numbers.iter().min(), numbers.iter().max(), row.len() as u64) {
            (Some(first), Some(last), count) if count > 1 => {
                let gaps = if count == last - first + 1 { String::new() } else { format!(" ({count})") };
                format!("{stem}{first} to {stem}{last}{gaps}")
            }
            _ => row[0].to_string(),
        }
    };
    rows.into_iter().map(range).collect()
}

/// The domains of `part`, which the chip calls `domains`, with their clocks.
fn driven(chip: &Chip, part: &Part, domains: &[String]) -> Vec<DrivenDomain> {
    let clocks = chip.config().clocks.parts();
    let own = part.design.top.domains.iter().zip(domains).filter(|(own, _)| own.used);
    let driven = own.filter_map(|(own, outer)| {
        let &(clock, _, megahertz) = clocks.iter().find(|(_, domain, _)| domain == outer)?;
        Some(DrivenDomain { name: own.name.clone(), clock, megahertz })
    });
    driven.collect()
}
