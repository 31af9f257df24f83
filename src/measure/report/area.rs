//! What a chip costs in area: the JSON of `warpmesh area --json`, the table and the CSV.

use super::{BlockRow, SynthesisRow, block_csv, block_table, power::crossbars, synthesis_table};
use crate::area::{CacheArea, ChipArea, RouterArea, TileGroup, caches::PartArea};
use rtl::noc::ring::optics::OpticalParts;
use serde::Serialize;
use std::fmt;

/// Area of a chip by the analytic model, mm^2.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AreaReport {
    /// Version of this object's shape.
    pub format_version: u32,
    /// The configuration as it was named.
    pub config: String,
    /// Technology node, nm.
    pub technology_nm: u32,
    /// Which ports of routers at the border count: `tile` or `as-built`.
    pub layout: String,
    /// How crossbars are built: `matrix` of wires, or `mux`, multiplexers.
    pub crossbar: String,
    /// Why they are not a matrix, where that was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crossbar_note: Option<String>,
    /// Routers by kind.
    pub routers: Vec<RouterRow>,
    /// Channels between routers and to terminals.
    pub links_mm2: f64,
    /// A channel to the next tile.
    pub one_link_mm2: f64,
    /// Channels to terminals.
    pub local_links_mm2: f64,
    /// All routers.
    pub routers_mm2: f64,
    /// Routers and channels.
    pub network_mm2: f64,
    /// Number of cores.
    pub cores: u32,
    /// All cores.
    pub cores_mm2: f64,
    /// Number of memory controllers.
    pub controllers: u32,
    /// All memory controllers.
    pub controllers_mm2: f64,
    /// The data caches of all cores.
    pub l1d_mm2: f64,
    /// All caches of cores that are only read, mm^2.
    #[serde(default)]
    pub read_only_mm2: f64,
    /// The L2 banks of all controllers; the thesis' where the chip has none.
    pub l2_mm2: f64,
    /// Caches by part.
    pub caches: Vec<CachePartRow>,
    /// All.
    pub chip_mm2: f64,
    /// Share of the network in the chip.
    pub network_percent: f64,
    /// The same chip as it is built: cells and arrays of its tiles by kind, from the netlist.
    pub built: Vec<BuiltRow>,
    /// All of these and the channels.
    pub built_mm2: f64,
    /// Parts of a nanophotonic ring between memory nodes: counts, no area.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ring: Option<OpticalParts>,
    /// What the elaborated chip consists of; only when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub blocks: Vec<BlockRow>,
    /// Routers through Yosys; only when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub synthesis: Vec<SynthesisRow>,
}

/// Routers of one kind; areas are those of one, mm^2.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RouterRow {
    /// `full`, `half`, `multi-port full`, `multi-port half`; at a border as built, with the number of links.
    pub kind: String,
    /// How many there are in all subnetworks.
    pub count: u32,
    /// Crossbar.
    pub crossbar_mm2: f64,
    /// Flit buffers.
    pub buffer_mm2: f64,
    /// VC and switch allocators.
    pub allocator_mm2: f64,
    /// One router.
    pub total_mm2: f64,
}

/// Tiles of one kind as they are built.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BuiltRow {
    /// Kind of tile.
    pub kind: String,
    /// How many there are.
    pub count: u64,
    /// Of one, mean, mm^2.
    pub one_mm2: f64,
    /// Of all, mm^2.
    pub mm2: f64,
}

impl BuiltRow {
    /// At a node, nm.
    fn new(tile: &TileGroup, nm: u32) -> Self {
        let mm2 = tile.mm2(nm);
        Self { kind: tile.kind.clone(), count: tile.count, one_mm2: mm2 / tile.count.max(1) as f64, mm2 }
    }
}

impl RouterRow {
    fn new(router: &RouterArea) -> Self {
        Self {
            kind: router.shape.kind(),
            count: router.count,
            crossbar_mm2: router.crossbar_mm2,
            buffer_mm2: router.buffer_mm2,
            allocator_mm2: router.allocator_mm2,
            total_mm2: router.total_mm2(),
        }
    }
}

/// A part of a kind of cache; the area is that of one, mm^2.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CachePartRow {
    /// `L1D` or `L2`.
    pub cache: String,
    /// How many caches there are.
    pub count: u32,
    /// Which part.
    pub part: String,
    /// Of one cache.
    pub mm2: f64,
    #[serde(skip)]
    of_misses: bool,
}

impl CachePartRow {
    fn all(area: &ChipArea) -> Vec<Self> {
        let rows = |(kind, cache): (&str, &CacheArea)| {
            let row = |&PartArea { name, mm2, of_misses }: &PartArea| Self {
                cache: kind.into(),
                count: cache.count,
                part: name.into(),
                mm2,
                of_misses,
            };
            cache.parts.iter().map(row).collect::<Vec<_>>()
        };
        let read_only = area.read_only.iter().map(|(name, cache)| (*name, cache));
        let all = area.l1d.iter().map(|cache| ("L1D", cache)).chain(read_only);
        all.chain(area.l2.iter().map(|cache| ("L2", cache))).flat_map(rows).collect()
    }
}

impl AreaReport {
    /// Of a chip whose configuration was named `config`, and whose netlist has these tiles.
    pub fn new(config: String, area: &ChipArea, tiles: &[TileGroup]) -> Self {
        let nm = area.technology.node.nm();
        let built: Vec<_> = tiles.iter().map(|tile| BuiltRow::new(tile, nm)).collect();
        Self {
            built_mm2: built.iter().map(|row| row.mm2).sum::<f64>() + area.network.links_mm2(),
            built,
            format_version: 2,
            config,
            technology_nm: nm,
            layout: area.layout.name().into(),
            crossbar: area.technology.crossbar.name().into(),
            crossbar_note: area.beyond.map(|beyond| beyond.to_string()),
            routers: area.network.routers.iter().map(RouterRow::new).collect(),
            links_mm2: area.network.links_mm2(),
            one_link_mm2: area.network.one_link_mm2,
            local_links_mm2: area.network.local_links_mm2,
            routers_mm2: area.network.routers_mm2(),
            network_mm2: area.network.total_mm2(),
            cores: area.cores,
            cores_mm2: area.cores_mm2(),
            controllers: area.controllers,
            controllers_mm2: area.controllers_mm2(),
            l1d_mm2: area.l1d_mm2(),
            read_only_mm2: area.read_only_mm2(),
            l2_mm2: area.l2_mm2(),
            caches: CachePartRow::all(area),
            chip_mm2: area.total_mm2(),
            network_percent: area.network_percent(),
            ring: area.ring,
            blocks: vec![],
            synthesis: vec![],
        }
    }

    /// One JSON object.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers and strings only")
    }

    /// A line for each kind of router and each sum, with commas between; what a line has not is empty. With blocks: a line for each.
    pub fn csv(&self) -> String {
        if !self.blocks.is_empty() {
            return block_csv(&self.blocks);
        }
        let mut text = "part,count,crossbar_mm2,buffer_mm2,allocator_mm2,total_mm2,all_mm2\n".to_string();
        for r in &self.routers {
            let kind = if r.kind.contains(',') { format!("\"{}\"", r.kind) } else { r.kind.clone() };
            let all = f64::from(r.count) * r.total_mm2;
            text += &format!(
                "{kind},{},{},{},{},{},{all}\n",
                r.count, r.crossbar_mm2, r.buffer_mm2, r.allocator_mm2, r.total_mm2
            );
        }
        for (part, all) in self.sums() {
            text += &format!("{part},,,,,,{all}\n");
        }
        for BuiltRow { kind, count, one_mm2, mm2 } in &self.built {
            text += &format!("{kind} as built,{count},,,,{one_mm2},{mm2}\n");
        }
        text += &format!("chip as built,,,,,,{}\n", self.built_mm2);
        text.trim_end().to_string()
    }

    /// What one cache of a kind takes.
    fn one_cache(&self, kind: &str) -> String {
        let count = self.caches.iter().find(|row| row.cache == kind).map(|row| row.count);
        match count {
            Some(count) => {
                let sum = |misses: bool| -> f64 {
                    let of = |row: &&CachePartRow| !misses || row.of_misses;
                    self.caches.iter().filter(|row| row.cache == kind).filter(of).map(|row| row.mm2).sum()
                };
                format!("{count} of {:.4}, {:.4} for misses", sum(false), sum(true))
            }
            None => "the thesis', as there is none here".into(),
        }
    }

    fn sums(&self) -> Vec<(&'static str, f64)> {
        let mut sums = vec![
            ("routers", self.routers_mm2),
            ("links", self.links_mm2),
            ("network", self.network_mm2),
            ("cores", self.cores_mm2),
            ("data caches", self.l1d_mm2),
            ("memory controllers", self.controllers_mm2),
            ("L2", self.l2_mm2),
            ("chip", self.chip_mm2),
        ];
        if self.read_only_mm2 > 0.0 {
            sums.insert(5, ("read-only caches", self.read_only_mm2));
        }
        sums
    }
}

impl fmt::Display for AreaReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let crossbars = if self.routers.is_empty() { "" } else { crossbars(&self.crossbar) };
        let note = self.crossbar_note.iter().map(|note| format!(": {note}")).collect::<String>();
        writeln!(f, "{} at {} nm, mm^2{crossbars}{note}\n", self.config, self.technology_nm)?;
        if !self.routers.is_empty() {
            let titles = ["crossbar", "buffers", "allocators", "router", "all"];
            write!(f, "  {:>5}  {:<28}", "", "routers")?;
            titles.iter().try_for_each(|title| write!(f, " {title:>10}"))?;
            writeln!(f)?;
        }
        for r in &self.routers {
            let all = f64::from(r.count) * r.total_mm2;
            let (crossbar, buffer, allocator, total) = (r.crossbar_mm2, r.buffer_mm2, r.allocator_mm2, r.total_mm2);
            write!(f, "  {:>5}  {:<28} {crossbar:>10.4} {buffer:>10.4} {allocator:>10.4}", r.count, r.kind)?;
            writeln!(f, " {total:>10.4} {all:>10.2}")?;
        }
        let network = format!("{:.1} % of the chip", self.network_percent);
        let note = |part: &str| match part {
            "links" => format!("a channel to the next tile {:.4}", self.one_link_mm2),
            "network" => network.clone(),
            "cores" => format!("{}", self.cores),
            "data caches" => self.one_cache("L1D"),
            "memory controllers" => format!("{}", self.controllers),
            "L2" => self.one_cache("L2"),
            _ => String::new(),
        };
        for (part, all) in self.sums() {
            let note = note(part);
            if part == "data caches" && all == 0.0 {
                continue;
            }
            let gap = if part == "routers" || part == "cores" || part == "chip" { "\n" } else { "" };
            writeln!(f, "{gap}  {:>5}  {part:<28} {note:>43} {all:>10.2}", "")?;
        }
        writeln!(f, "\n  as built, cells and arrays of the netlist; a crossbar is multiplexers")?;
        for BuiltRow { kind, count, one_mm2, mm2 } in &self.built {
            let kind = kind.replace('_', " ");
            writeln!(f, "  {count:>5}  {kind:<28} {:>43} {mm2:>10.2}", format!("{one_mm2:.4} each"))?;
        }
        writeln!(f, "  {:>5}  {:<28} {:>43} {:>10.2}", "", "links", "as above", self.links_mm2)?;
        writeln!(f, "  {:>5}  {:<28} {:>43} {:>10.2}", "", "chip", "", self.built_mm2)?;
        if let Some(parts) = self.ring {
            let OpticalParts { channels, waveguides, modulators, detectors, token_wavelengths, .. } = parts;
            write!(
                f,
                "\n  ring, not in the sums: {channels} channels on {waveguides} waveguides, {modulators} modulators, "
            )?;
            writeln!(f, "{detectors} detectors; {token_wavelengths} wavelengths of tokens")?;
        }
        if !self.blocks.is_empty() {
            write!(f, "\n{}", block_table(&self.blocks, self.technology_nm))?;
        }
        if !self.synthesis.is_empty() {
            write!(f, "\n{}", synthesis_table(&self.synthesis))?;
        }
        Ok(())
    }
}
