//! What each page and section says, from the tables of the program.

use super::{
    claims, formats, mshr, papers, synthesis,
    tables::{code, table},
    timing,
};
use crate::{
    Failure,
    after_help::EXIT_CODES,
    cc,
    chip_args::{ChipArgs, design},
    list::{self, What},
};
use clap::{Arg, ArgAction, Command};
use common::parameters::page as configuration;
use hdl::{Module, NetId, plain_text};
use measure::{
    area::toggled::{GateReference, TOGGLE_FJ_130, gate_references},
    statistics,
};
use program::{isa::Opcode, supported_ptx_by_group};
use rtl::{
    chip::ChipConfig,
    noc::PlacementKind,
    registry::{BlockParameter, blocks as registered},
};
use std::path::Path;

/// A page that is written as a whole.
pub struct Page {
    pub file: &'static str,
    /// What it says of the whole command line, in a folder.
    pub text: fn(&Command, &Path) -> Result<String, Failure>,
}

/// All of them. That of claims is only where the folder keeps results.
pub const PAGES: [Page; 15] = [
    Page { file: "options.md", text: |program, _| Ok(options(program)) },
    Page { file: "configuration.md", text: |_, _| Ok(configuration::<ChipConfig>("Keys of a configuration")) },
    Page { file: "statistics.md", text: |_, _| Ok(statistics::page()) },
    Page { file: "nvcc-options.md", text: |_, _| Ok(cc::nvcc_options_page()) },
    Page {
        file: "policies.md",
        text: |_, _| Ok(lists("Policies, traffic, engines and passes", POLICIES, &POLICY_LISTS)),
    },
    Page { file: "shipped.md", text: |_, _| Ok(lists("Shipped kernels and configurations", SHIPPED, &SHIPPED_LISTS)) },
    Page { file: "blocks.md", text: |_, _| Ok(blocks()) },
    Page { file: "ptx-instructions.md", text: |_, _| Ok(ptx()) },
    Page { file: "tile-ports.md", text: |_, _| tile_ports() },
    Page { file: "file-formats.md", text: |_, _| Ok(formats::page()) },
    Page { file: "timing.md", text: |_, _| timing::page() },
    Page { file: "mshr.md", text: |_, _| Ok(mshr::page()) },
    Page { file: "synthesis.md", text: |_, _| synthesis::page() },
    Page { file: "papers.md", text: |_, _| papers::page() },
    Page { file: CLAIMS, text: |_, folder| claims::page(folder) },
];

/// The page that repeats results of the folder.
pub const CLAIMS: &str = "claims.md";

/// A section of another page by its name, or the names that there are.
pub fn section(name: &str) -> Result<String, Vec<&'static str>> {
    match name {
        "opcodes" => Ok(opcodes()),
        "exit codes" => Ok(exit_codes()),
        "placements" => Ok(placements()),
        "gate power" => Ok(gate_power()),
        _ => Err(vec!["opcodes", "exit codes", "placements", "gate power"]),
    }
}

/// The constants of dynamic energy of logic, and the blocks that they are fitted to.
fn gate_power() -> String {
    let [logic, arithmetic, pin, write_pin, flip_flop] = TOGGLE_FJ_130;
    let rows = gate_references();
    let near = rows.iter().filter(|row| row.is_near()).count();
    let sum = rows.iter().map(GateReference::model_fj).sum::<f64>() / rows.iter().map(|row| row.gates_fj).sum::<f64>();
    let mut text = format!(
        "A toggle costs, at 130 nm and 1.2 V (it scales with length and the square of the supply): {logic} fJ a gate \
         equivalent of AND, OR, NOT and multiplexers,\n{arithmetic} fJ one of sums, comparisons and XOR, {pin} fJ an input \
         pin of a gate, {write_pin} fJ one of a word of a small memory, {flip_flop} fJ a bit of a flip-flop.\n\n\
         | block | chip | kernel | gates, fJ a cycle | model | ratio |\n|---|---|---|---|---|---|\n"
    );
    for row in &rows {
        let (model, ratio) = (row.model_fj(), row.ratio());
        let GateReference { chip, kernel, block, gates_fj, .. } = row;
        text += &format!("| `{block}` | `{chip}` | {kernel} | {gates_fj:.1} | {model:.1} | {ratio:.2} |\n");
    }
    text + &format!("\n{near} of {} rows are within 30 %; the sum of all has the ratio {sum:.2}.", rows.len())
}

const POLICIES: &str = "Every policy that a configuration may name, every traffic pattern, engine and pass. `warpmesh list` prints the same \
                        lists. A\npolicy is a row of a table and a file of its own in `src/rtl`.";

const POLICY_LISTS: [What; 18] = [
    What::Topologies,
    What::Placements,
    What::Organisations,
    What::Routings,
    What::PortChoices,
    What::Allocators,
    What::Arbiters,
    What::Traffic,
    What::Schedulers,
    What::WarpGroups,
    What::Distributions,
    What::DramSchedulers,
    What::AddressMaps,
    What::SetIndices,
    What::Replacements,
    What::Mshrs,
    What::Engines,
    What::Passes,
];

const SHIPPED: &str = "What the program brings with it: kernels in `kernels/`, configurations in `configs/`. A kernel computes its expected result on \
                       the\nhost.";

const SHIPPED_LISTS: [What; 3] = [What::Kernels, What::KernelParams, What::Configs];

fn lists(title: &str, intro: &str, whats: &[What]) -> String {
    let sections = list::sections().into_iter().filter(|section| whats.contains(&section.what));
    let sections = sections.map(|section| {
        let rows = section.rows.into_iter().map(|(name, about)| [code(&name), about]);
        format!("\n## {}\n\n{}", capital(section.title), table(["name", "meaning"], rows))
    });
    format!("# {title}\n\n{intro}\n{}", sections.collect::<String>())
}

/// The title of a list, whose keys and commands stand in brackets behind it.
fn capital(title: &str) -> String {
    let (name, rest) = title.split_once(" (").map_or((title, ""), |(name, rest)| (name, rest.trim_end_matches(')')));
    let mut letters = name.chars();
    let name: String = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    match rest {
        "" | "any command" => name,
        rest => format!("{name}: `{rest}`"),
    }
}

/// The options of every command.
fn options(program: &Command) -> String {
    let mut text = format!(
        "# Options of every command\n\n`warpmesh help COMMAND` prints the same. [command-line.md](command-line.md) says how the commands \
         work together.\n\nEvery command takes:\n\n{}",
        of_command(program)
    );
    for command in program.get_subcommands() {
        let about = command.get_long_about().or(command.get_about()).map(ToString::to_string).unwrap_or_default();
        text += &format!("\n## `{}`\n\n{about}\n", command.get_name());
        let rows = of_command(command);
        text += &if rows.is_empty() { rows } else { format!("\n{rows}") };
    }
    text
}

fn of_command(command: &Command) -> String {
    let shown = |arg: &&Arg| !arg.is_hide_set() && !["help", "version"].contains(&arg.get_id().as_str());
    let own: Vec<_> = command.get_arguments().filter(shown).collect();
    if own.is_empty() {
        return String::new();
    }
    table(["option", "default", "meaning"], own.into_iter().map(|arg| [code(&usage(arg)), default(arg), about(arg)]))
}

/// `-o, --out DIR`, or the name of a place.
fn usage(arg: &Arg) -> String {
    let names: Vec<String> = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let value = match arg.get_action() {
        ArgAction::Set | ArgAction::Append => names.join(" "),
        _ => String::new(),
    };
    let flags = [arg.get_short().map(|short| format!("-{short}")), arg.get_long().map(|long| format!("--{long}"))];
    let flags = flags.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let optional = arg.get_num_args().is_some_and(|count| count.min_values() == 0);
    match (flags.is_empty(), value.is_empty()) {
        (true, _) if arg.is_required_set() => value,
        (true, _) => format!("[{value}]"),
        (false, true) => flags,
        (false, false) if optional => format!("{flags}[={value}]"),
        (false, false) => format!("{flags} {value}"),
    }
}

fn default(arg: &Arg) -> String {
    let values: Vec<_> = match arg.get_action() {
        ArgAction::Set | ArgAction::Append => arg.get_default_values().iter().map(|v| v.to_string_lossy()).collect(),
        _ => vec![],
    };
    if values.is_empty() { String::new() } else { code(&values.join(",")) }
}

fn about(arg: &Arg) -> String {
    let text = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let takes_value = matches!(arg.get_action(), ArgAction::Set | ArgAction::Append);
    let values = arg.get_possible_values().into_iter().filter(|value| takes_value && !value.is_hide_set());
    let values = values.map(|value| match value.get_help() {
        Some(help) => format!("`{}`: {help}", value.get_name()),
        None => code(value.get_name()),
    });
    let values = values.collect::<Vec<_>>().join("; ");
    let text = text.trim_end_matches('.');
    if values.is_empty() { format!("{text}.") } else { format!("{text}. One of: {values}.") }
}

fn blocks() -> String {
    let mut text = String::from(
        "# Single blocks\n\nBlocks that `export --block NAME`, `area --block NAME` and the folders of `testbenches/` know, with the parameters \
         that\n`-P NAME=VALUE` sets.\n",
    );
    for block in registered() {
        text += &format!("\n## `{}`\n\n{}\n", block.name, block.about);
        if block.parameters.is_empty() {
            continue;
        }
        let rows = block.parameters.iter().map(|parameter: &BlockParameter| {
            let BlockParameter { name, default, range, .. } = parameter;
            let default = match range {
                Some(_) => default.to_string(),
                None => parameter.names().get(*default as usize).unwrap_or(&"").to_string(),
            };
            [code(name), code(&default), parameter.allowed(), parameter.about.to_string()]
        });
        text += &format!("\n{}", table(["parameter", "default", "allowed", "meaning"], rows));
    }
    text
}

fn ptx() -> String {
    let mut text = String::from(
        "# PTX instructions\n\nThe instruction table of the compiler. In a pattern `{a,b}` are alternatives, and `?` marks an optional part. \
         [ptx.md](ptx.md)\nsays how they are translated, and what else of PTX there is.\n",
    );
    let mut last = "";
    for (group, pattern) in supported_ptx_by_group() {
        if group != last {
            text += &format!("\n## {group}\n\n");
            last = group;
        }
        text += &format!("* `{pattern}`\n");
    }
    text
}

/// The unit of an instruction is the upper three bits of its code.
const UNITS: [&str; 8] = ["control", "integer", "predicate", "multiply", "float", "load", "store", "atomic"];

fn opcodes() -> String {
    let row = |opcode: &Opcode| {
        let number = *opcode as u8;
        let operands = format!("{:?}", opcode.operands()).to_lowercase();
        let unit = UNITS[usize::from(number >> 5)].to_string();
        [code(&format!("{number:02x}")), code(&opcode.mnemonic()), unit, operands, opcode.about().to_string()]
    };
    table(["code", "name", "unit", "operands", "meaning"], Opcode::ALL.iter().map(row))
}

fn exit_codes() -> String {
    let rows = EXIT_CODES.lines().skip(1).map_while(|line| line.strip_prefix("  "));
    let rows = rows.filter_map(|line| line.split_once("  ")).map(|(code, about)| [code.into(), about.into()]);
    table(["code", "meaning"], rows)
}

/// Eight memory controllers on a mesh of 6 x 6, three placements side by side.
fn placements() -> String {
    const SIDE: u32 = 6;
    let drawn: Vec<Vec<String>> = PlacementKind::ALL
        .into_iter()
        .filter_map(|kind| {
            let memories = kind.nodes(SIDE, SIDE, 8).ok()?;
            let mark = |x, y| match memories.contains(&(y * SIDE + x)) {
                true => "M",
                false if (x + y) % 2 == 1 => "h",
                false => ".",
            };
            let row = |y| (0..SIDE).map(|x| mark(x, y)).collect::<Vec<_>>().join(" ");
            Some(std::iter::once(kind.name().to_string()).chain((0..SIDE).map(row)).collect())
        })
        .collect();
    let band = |kinds: &[Vec<String>]| {
        let line = |at: usize| kinds.iter().map(|kind| format!("{:<19}", kind[at])).collect::<String>();
        (0..=SIDE as usize).map(|at| format!("  {}\n", line(at).trim_end())).collect::<String>()
    };
    format!("```\n{}```", drawn.chunks(3).map(band).collect::<Vec<_>>().join("\n"))
}

/// The ports of each kind of tile of the default chip: of several shapes, that of most ports.
fn tile_ports() -> Result<String, Failure> {
    let chip = ChipArgs::default().chip()?;
    let design = design(&chip)?;
    let mut kinds: Vec<&Module> = vec![];
    for tile in design.top.instances.iter().filter(|child| child.tile).map(|child| &child.module) {
        let ports = |module: &Module| module.inputs.len() + module.outputs.len();
        match kinds.iter_mut().find(|kind| kind.kind == tile.kind) {
            Some(kind) if ports(tile) > ports(kind) => *kind = tile,
            Some(_) => {}
            None => kinds.push(tile),
        }
    }
    let mut text = String::from(
        "# Ports of the tiles\n\nOf the default chip; other configurations have other widths and numbers of ports. Of a kind of tile that has several \
         shapes, the\none with most ports. `clock` and `reset` are not listed. [tiles.md](tiles.md) has the interfaces that they belong to.\n",
    );
    for module in kinds {
        let rows = |nets: &[NetId], direction: &str| -> Vec<[String; 4]> {
            let row = |net: &NetId| {
                let net = module.net(*net);
                [code(&net.name), direction.to_string(), net.width.to_string(), plain_text(net.about)]
            };
            nets.iter().map(row).collect()
        };
        let all = [rows(&module.inputs, "in"), rows(&module.outputs, "out")].concat();
        text += &format!(
            "\n## `{}`\n\n{}\n\n{}",
            module.kind,
            module.doc,
            table(["port", "direction", "bits", "meaning"], all)
        );
    }
    Ok(text)
}
