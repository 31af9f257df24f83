//! `warpmesh list`: everything that can be named on the command line or in a configuration.

use super::{Failure, block, cc, chip_args::design, print::print};
use clap::{Args, ValueEnum};
use common::{names::did_you_mean, parameters::Parameter, policies::Policy, short::shortened};
use hdl::Statistic;
use measure::{
    open_loop::Pattern,
    statistics::{kept_in, near_parts},
};
use program::{kernels, supported_ptx};
use rtl::{
    blocks::ArbiterKind,
    cache::{MissHandling, Replacement, SetIndex},
    chip::{self, EMBEDDED},
    core::BlockDistribution,
    core::{WarpGroup, WarpScheduler, memory::stages::STAGES, units::UNITS},
    memory::{AddressMapKind, DramScheduler},
    noc::{AllocatorKind, Organisation, PlacementKind, PortChoice, Routing, TopologyKind},
};
use sim::{
    Engine, Pass,
    pattern::{occurs, selects},
};
use std::{collections::BTreeMap, path::PathBuf};

/// Lists kernels, configurations and the names that a configuration may use.
#[derive(Args, Debug)]
pub struct List {
    /// Only this list.
    what: Option<What>,
    /// Only names that match: a part of a name, or with `*` for any characters; statistics as `run --stats` matches them.
    #[arg(value_name = "PATTERN")]
    patterns: Vec<String>,
    /// Chip in which statistics are also looked for by place, such as `core0.*` [default: default].
    #[arg(long, value_name = "CONFIG", requires = "patterns")]
    config: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum What {
    /// Kernels that come with the program.
    Kernels,
    /// Parameters of those kernels that have some.
    KernelParams,
    /// Configurations that come with the program.
    Configs,
    /// Topologies of the network.
    Topologies,
    /// Placements of the memory controllers.
    Placements,
    /// One network or two.
    Organisations,
    /// Routings.
    Routings,
    /// How an injection port is chosen.
    PortChoices,
    /// Allocators of virtual channels and of the crossbar.
    Allocators,
    /// Arbiters of the allocators.
    Arbiters,
    /// Warp schedulers of the cores.
    Schedulers,
    /// How two-level schedulers group warps.
    WarpGroups,
    /// Execution units of the cores beside the lanes.
    Units,
    /// Stages of the cores between load/store unit and memory port.
    Stages,
    /// Which core gets the next thread block.
    Distributions,
    /// Which request a memory controller serves next.
    DramSchedulers,
    /// Which addresses a memory controller holds.
    AddressMaps,
    /// Set indices of caches.
    SetIndices,
    /// Replacement in caches.
    Replacements,
    /// Handling of misses in caches.
    Mshrs,
    /// Traffic patterns.
    Traffic,
    /// Simulation engines.
    Engines,
    /// Passes of the engines.
    Passes,
    /// PTX instructions that the compiler takes.
    Ptx,
    /// Statistics of the hardware, by kind of block.
    Statistics,
    /// Single blocks with their parameters.
    Blocks,
    /// Options of nvcc and what `warpmesh cc` does with them.
    NvccOptions,
}

impl List {
    /// Runs the command.
    pub fn run(&self) -> Result<(), Failure> {
        let sections = sections().into_iter().filter(|section| match self.what {
            Some(what) => section.what == what,
            None => !section.what.is_long(),
        });
        let mut sections: Vec<_> = sections.collect();
        let is_of_blocks = |section: &&mut Section| section.what == What::Statistics && !self.patterns.is_empty();
        for section in sections.iter_mut().filter(is_of_blocks) {
            let chip = chip::load(self.config.as_deref(), &[]).map_err(Failure::input)?;
            for (place, Statistic { block, name, .. }) in kept_in(&design(&chip)?) {
                section.places.entry(format!("{block}.{name}")).or_default().push(place);
            }
        }
        for pattern in &self.patterns {
            let matches = |section: &Section| section.rows.iter().any(|(name, _)| section.matches(pattern, name));
            if !sections.iter().any(matches) {
                return Err(nothing_matches(pattern, &sections));
            }
        }
        let text: String = sections.iter().map(|section| section.text(&self.patterns)).collect();
        print(text.trim_end())
    }
}

/// A list, with what each name means.
pub struct Section {
    /// Which list.
    pub what: What,
    /// Its name, with the key or command that it is for.
    pub title: &'static str,
    /// Names and meanings.
    pub rows: Vec<(String, String)>,
    /// Of statistics: where blocks of a chip keep them, by name.
    places: BTreeMap<String, Vec<String>>,
}

impl What {
    /// Lists that are printed only when they are named.
    fn is_long(self) -> bool {
        matches!(self, Self::KernelParams | Self::Ptx | Self::Statistics | Self::Blocks | Self::NvccOptions)
    }
}

/// All lists.
pub fn sections() -> Vec<Section> {
    let section = |what, title, rows| Section { what, title, rows, places: BTreeMap::new() };
    let named = |name: &str, about: &str| (name.to_string(), about.to_string());
    let statistics = rtl::statistics().into_iter().map(|s| (format!("{}.{}", s.block, s.name), s.about.to_string()));
    vec![
        section(
            What::Kernels,
            "kernels (run --kernel NAME --size N)",
            kernels::every().map(|kernel| named(kernel.name, kernel.about)).collect(),
        ),
        section(What::KernelParams, "parameters of kernels (run --kernel KERNEL --kernel-param PARAM=N)", params()),
        section(
            What::Configs,
            "configurations (any command)",
            EMBEDDED.iter().map(|(name, text)| (name.to_string(), first_sentence(text))).collect(),
        ),
        section(What::Topologies, "topologies (network.topology)", policies::<TopologyKind>()),
        section(What::Placements, "placements (network.placement)", policies::<PlacementKind>()),
        section(What::Organisations, "organisations (network.organisation)", policies::<Organisation>()),
        section(What::Routings, "routings (network.routing)", policies::<Routing>()),
        section(What::PortChoices, "port choices (network.port_choice)", policies::<PortChoice>()),
        section(What::Allocators, "allocators (network.{vc,switch}_allocator.kind)", policies::<AllocatorKind>()),
        section(What::Arbiters, "arbiters (network.{vc,switch}_allocator.arbiter)", policies::<ArbiterKind>()),
        section(What::Traffic, "traffic (noc --traffic NAME)", policies::<Pattern>()),
        section(What::Schedulers, "warp schedulers (core.scheduler)", policies::<WarpScheduler>()),
        section(What::WarpGroups, "groups of warps (core.warp_group)", policies::<WarpGroup>()),
        section(
            What::Units,
            "units beside the lanes (core.double, core.special_units, core.own_units.NAME)",
            UNITS.rows().iter().map(|unit| named(unit.name(), unit.about())).collect(),
        ),
        section(
            What::Stages,
            "stages before the memory port, in their order (core.own_stages.NAME)",
            STAGES.rows().iter().map(|stage| named(stage.name(), stage.about())).collect(),
        ),
        section(What::Distributions, "block distribution (core.block_distribution)", policies::<BlockDistribution>()),
        section(What::DramSchedulers, "DRAM schedulers (memory.scheduler)", policies::<DramScheduler>()),
        section(What::AddressMaps, "address maps (memory.address_map)", policies::<AddressMapKind>()),
        section(What::SetIndices, "set indices (cache.l2.index)", policies::<SetIndex>()),
        section(What::Replacements, "replacement (cache.l2.replacement)", policies::<Replacement>()),
        section(
            What::Mshrs,
            "handling of misses (cache.l1d.mshr.kind, cache.l2.mshr.kind)",
            policies::<MissHandling>(),
        ),
        section(
            What::Engines,
            "engines (run --engine NAME)",
            Engine::ALL.iter().map(|engine| named(engine.name(), engine.about())).collect(),
        ),
        section(
            What::Passes,
            "passes (run --passes LIST)",
            Pass::ALL.iter().map(|pass| named(pass.name(), pass.about())).collect(),
        ),
        section(What::Statistics, "statistics (run --stats PATTERN)", statistics.collect()),
        section(What::Blocks, "blocks (export --block NAME, area --block NAME, -P NAME=VALUE)", block::list()),
        section(What::NvccOptions, "options of nvcc (cc OPTION)", cc::nvcc_options()),
        section(What::Ptx, "", supported_ptx().map(|instruction| (instruction.to_string(), String::new())).collect()),
    ]
}

impl Section {
    /// Statistics as `run --stats` takes them; of other names a part, or with `*` all.
    fn matches(&self, pattern: &str, name: &str) -> bool {
        if let (What::Statistics, Some(declared)) = (self.what, name.split_once('.')) {
            let places = self.places.get(name).into_iter().flatten().map(String::as_str);
            return places.chain([name]).any(|place| selects(pattern, place, Some(declared)));
        }
        let [pattern, name] = [pattern, name].map(str::to_lowercase);
        occurs(&pattern, &name) || name.contains(&pattern)
    }

    /// The rows that match one of the patterns, of which there may be none at all.
    fn text(&self, patterns: &[String]) -> String {
        let wanted = |name: &str| patterns.is_empty() || patterns.iter().any(|pattern| self.matches(pattern, name));
        let rows: Vec<_> = self.rows.iter().filter(|(name, _)| wanted(name)).collect();
        if rows.is_empty() {
            return String::new();
        }
        if self.what == What::Ptx {
            return rows.iter().map(|(name, _)| format!("{name}\n")).collect();
        }
        let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(16);
        let rows: String = rows.into_iter().map(|(name, about)| format!("  {name:<width$} {about}\n")).collect();
        format!("{}\n{rows}\n", self.title)
    }
}

/// No name of these lists is like that.
fn nothing_matches(pattern: &str, sections: &[Section]) -> Failure {
    // Of a dotted name people know a part.
    let rows = sections.iter().flat_map(|section| section.rows.iter());
    let names = rows.flat_map(|(name, _)| std::iter::once(name.as_str()).chain(name.split('.')));
    let places = sections.iter().flat_map(|section| section.places.values().flatten());
    let meant = did_you_mean(&near_parts(pattern, names.chain(places.flat_map(|place| place.split('.')))));
    let help = if meant.is_empty() { "without a pattern it prints all names".to_string() } else { meant };
    Failure::input_message(format!("nothing in the list matches `{}`", shortened(pattern)), help)
}

/// Kernels with their parameters, and what each means.
fn params() -> Vec<(String, String)> {
    let of = |kernel: &kernels::Builtin| {
        let name = kernel.name;
        let row = move |Parameter { path, about, default, range, unit, .. }: Parameter| {
            let allowed = range.map_or(String::new(), |range| format!(", {range} {unit}"));
            (format!("{name} {path}"), format!("{about} [default: {default}{}]", allowed.trim_end()))
        };
        kernel.params().into_iter().map(row).collect::<Vec<_>>()
    };
    kernels::every().flat_map(of).collect()
}

/// The first sentence of the comment at the top of a configuration says what it is.
fn first_sentence(text: &str) -> String {
    let comment: Vec<_> = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim).collect();
    let comment = comment.join(" ");
    let end = comment.find(". ").map_or(comment.len(), |dot| dot + 1);
    comment[..end].to_string()
}

/// Names and meanings of policies.
fn policies<T: Policy>() -> Vec<(String, String)> {
    let about = |policy: T| match policy.aliases() {
        [] => policy.about(),
        aliases => format!("{} Also: {}.", policy.about(), aliases.join(", ")),
    };
    T::named().into_iter().map(|policy| (policy.name().to_string(), about(policy))).collect()
}
