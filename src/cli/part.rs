//! A netlist that commands look at without a chip around it: a block of the registry, or an instance of a chip.

use super::{
    Failure,
    print::print,
    verilog_export::{failure, macros_file},
};
use measure::{
    area::{
        Synthesis,
        structure::{self, BlockGroup, Counting},
    },
    report::{BlockRow, block_csv, block_table},
};
use netlist::Design;
use std::path::Path;
use verilog::{Exported, write_export_beside};

/// A netlist, and what it is called.
pub struct Part {
    /// For people: `fifo depth=16 width=8`.
    pub name: String,
    /// What writes its Verilog, without what is said of memories: `export --block fifo -P depth=16`.
    pub command: String,
    /// The netlist.
    pub design: Design,
}

/// How its area is printed.
#[derive(Clone, Copy)]
pub struct AreaStyle {
    /// Levels of blocks below it.
    pub depth: usize,
    /// Technology node, nm.
    pub nm: u32,
    /// As JSON.
    pub json: bool,
    /// As CSV.
    pub csv: bool,
}

impl Part {
    /// Prints what it consists of; `synthesis`: what Yosys makes of it; `about`: the first keys of the JSON.
    pub fn print_area(
        &self,
        style: AreaStyle,
        synthesis: Option<&Synthesis>,
        about: serde_json::Value,
    ) -> Result<(), Failure> {
        let AreaStyle { depth, nm, json, csv } = style;
        let counting = Counting::default();
        let kind = self.design.top.kind.clone();
        let structure = structure::total(&self.design, &counting);
        let top = self.design.index_of(&self.design.top);
        let whole = BlockGroup { path: vec![kind.clone()], modules: vec![(top, 1)], structure };
        let inside = structure::by_block(&self.design, &counting, depth).into_iter();
        let inside = inside.map(|part| BlockGroup { path: [vec![kind.clone()], part.path].concat(), ..part });
        let rows: Vec<_> = [whole].into_iter().chain(inside).map(|part| BlockRow::new(&part, synthesis, nm)).collect();
        print(&match (json, csv) {
            (true, _) => {
                let mut object = about;
                object["format_version"] = 1.into();
                object["technology_nm"] = nm.into();
                object["blocks"] = serde_json::to_value(rows).expect("plain data");
                format!("{object:#}")
            }
            (_, true) => block_csv(&rows).trim_end().to_string(),
            _ => format!("{}\n\n{}", self.name, block_table(&rows, nm).trim_end()),
        })
    }

    /// Writes its Verilog and the files `beside`, and says so.
    pub fn write(
        &self,
        Exported { files, macros, .. }: &Exported,
        mut beside: Vec<(String, String)>,
        out: &Path,
        force: bool,
    ) -> Result<(), Failure> {
        beside.extend(macros_file(macros));
        write_export_beside(files, &beside, out, force).map_err(failure)?;
        let lines: usize = files.iter().map(|file| file.text.lines().count()).sum();
        let (folder, modules, top) = (out.display(), files.len(), &self.design.top.name);
        print(&format!("{folder}: block {}: {modules} modules, {lines} lines; top module {top}", self.name))
    }
}
