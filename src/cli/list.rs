//! `warpmesh list`: everything that can be named on the command line or in a configuration.

use super::{Failure, block, cc, print::print};
use clap::{Args, ValueEnum};
use common::{parameters::Parameter, policies::Policy};
use measure::{open_loop::Pattern, statistics::page};
use program::{kernels, supported_ptx};
use rtl::{
    blocks::ArbiterKind,
    cache::{MissHandling, Replacement, SetIndex},
    chip::{BlockDistribution, EMBEDDED},
    core::{WarpGroup, WarpScheduler},
    memory::{AddressMapKind, DramScheduler},
    noc::{AllocatorKind, Organisation, PlacementKind, PortChoice, Routing, TopologyKind},
};
use sim::{Engine, Pass};

/// Lists kernels, configurations and the names that a configuration may use.
#[derive(Args, Debug)]
pub struct List {
    /// Only this list.
    what: Option<What>,
    /// Print the page of the documentation: docs/statistics.md, docs/nvcc-options.md.
    #[arg(long)]
    markdown: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum What {
    /// Kernels that come with the program.
    Kernels,
    /// Knobs of those kernels that have some.
    Knobs,
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
    WarpGroups,
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
        let mut text = String::new();
        let wanted = |what| self.what.is_none_or(|only| only == what);
        if wanted(What::Kernels) {
            text += &section("kernels (run --kernel NAME --size N)", kernels::every().map(|k| (k.name, k.about)));
        }
        if self.what == Some(What::Knobs) {
            text += &section("knobs (run --kernel KERNEL --knob KNOB=N)", knobs().iter().map(pair));
        }
        if wanted(What::Configs) {
            text += &section(
                "configurations (any command)",
                EMBEDDED.iter().map(|(name, text)| (*name, first_comment(text))),
            );
        }
        for (what, title, rows) in [
            (What::Topologies, "topologies (network.topology)", policies::<TopologyKind>()),
            (What::Placements, "placements (network.placement)", policies::<PlacementKind>()),
            (What::Organisations, "organisations (network.organisation)", policies::<Organisation>()),
            (What::Routings, "routings (network.routing)", policies::<Routing>()),
            (What::PortChoices, "port choices (network.port_choice)", policies::<PortChoice>()),
            (What::Allocators, "allocators (network.{vc,switch}_allocator.kind)", policies::<AllocatorKind>()),
            (What::Arbiters, "arbiters (network.{vc,switch}_allocator.arbiter)", policies::<ArbiterKind>()),
            (What::Traffic, "traffic (noc --traffic NAME)", policies::<Pattern>()),
            (What::Schedulers, "warp schedulers (core.scheduler)", policies::<WarpScheduler>()),
            (What::WarpGroups, "groups of warps (core.warp_group)", policies::<WarpGroup>()),
            (What::Distributions, "block distribution (core.distribution)", policies::<BlockDistribution>()),
            (What::DramSchedulers, "DRAM schedulers (memory.scheduler)", policies::<DramScheduler>()),
            (What::AddressMaps, "address maps (memory.address_map)", policies::<AddressMapKind>()),
            (What::SetIndices, "set indices (cache.l2.index)", policies::<SetIndex>()),
            (What::Replacements, "replacement (cache.l2.replacement)", policies::<Replacement>()),
            (What::Mshrs, "handling of misses (cache.l1d.mshr, cache.l2.mshr)", policies::<MissHandling>()),
        ] {
            if wanted(what) {
                text += &section(title, rows.iter().map(pair));
            }
        }
        if wanted(What::Engines) {
            text += &section("engines (run --engine NAME)", Engine::ALL.iter().map(|e| (e.name(), e.about())));
        }
        if wanted(What::Passes) {
            text += &section("passes (run --passes LIST)", Pass::ALL.iter().map(|p| (p.name(), p.about())));
        }
        if self.what == Some(What::NvccOptions) {
            if self.markdown {
                return print(cc::nvcc_options_page().trim_end());
            }
            text = section("options of nvcc (cc OPTION)", cc::nvcc_options().iter().map(pair));
        } else if self.what == Some(What::Statistics) {
            if self.markdown {
                return print(page().trim_end());
            }
            let all = rtl::statistics();
            let rows: Vec<_> = all.iter().map(|s| (format!("{}.{}", s.block, s.name), s.about.to_string())).collect();
            text = section("statistics (run --stats PATTERN)", rows.iter().map(pair));
        } else if self.markdown {
            return Err(Failure::input_message(
                "--markdown is for `list statistics` and `list nvcc-options`",
                "leave it out",
            ));
        }
        if self.what == Some(What::Blocks) {
            let rows = block::list();
            text = section("blocks (export --block NAME, area --block NAME, -P NAME=VALUE)", rows.iter().map(pair));
        }
        if self.what == Some(What::Ptx) {
            text = supported_ptx().collect::<Vec<_>>().join("\n");
        }
        print(text.trim_end())
    }
}

fn section<'a>(title: &str, rows: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let rows: Vec<_> = rows.collect();
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(16);
    let rows: String = rows.into_iter().map(|(name, about)| format!("  {name:<width$} {about}\n")).collect();
    format!("{title}\n{rows}\n")
}

fn pair(row: &(String, String)) -> (&str, &str) {
    (&row.0, &row.1)
}

/// Kernels with their knobs, and what each means.
fn knobs() -> Vec<(String, String)> {
    let of = |kernel: &kernels::Builtin| {
        let name = kernel.name;
        let row = move |Parameter { path, about, default, range, unit, .. }: Parameter| {
            let allowed = range.map_or(String::new(), |range| format!(", {range} {unit}"));
            (format!("{name} {path}"), format!("{about} [default: {default}{}]", allowed.trim_end()))
        };
        kernel.knobs().into_iter().map(row).collect::<Vec<_>>()
    };
    kernels::every().flat_map(of).collect()
}

/// The first comment line of a configuration says what it is.
fn first_comment(text: &str) -> &str {
    text.lines().next().and_then(|line| line.strip_prefix("# ")).unwrap_or("")
}

/// Names and meanings of policies.
fn policies<T: Policy>() -> Vec<(String, String)> {
    T::NAMED.iter().map(|policy| (policy.name().to_string(), policy.about())).collect()
}
