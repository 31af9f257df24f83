//! Area, energy, leakage and access time of small memories: RAM, set-associative and fully associative (CAM) arrays.
//!
//! ```text
//!   rows/S   +-----------+ +-----------+        S sub-arrays of at most 32 rows, S a power of two but 2
//!            | tag | data| | tag | data| ...    CAM: every tag bit has a comparator of its own, and drives no decoder
//!            +-----------+ +-----------+        RAM: decoder, and one comparator a way where there are tags
//!             column circuits in each
//!
//!   area    = cells + comparators + S (columns x column circuit + CAM tag bits x search line) + control
//!   energy  = columns read x (column + rows/S x row) + bits compared x comparator + S x CAM tag bits x search line
//!   leakage = cells + comparators + S x columns x column circuit
//!   access  = (decoder | CAM match) + word line, bit line, sense + distance between sub-arrays
//! ```
//!
//! Source of form: CACTI 4.0 (Tarjan, Thoziyoor, Jouppi, HP Laboratories, 2006); of constants: tables 5.5 and 5.6 of K.
//! Kim's thesis (2017, CACTI 4.0 at 130 nm) and what section 5.5 says of cells (6 transistors a bit, 1917 for a
//! comparator of 32 bits). One set of constants for all kinds. Valid from 8 to 128 rows of some hundred bits; larger
//! arrays get more sub-arrays than CACTI would give them.

pub use rtl::cache::miss::arrays::ArraySearch as Search;

/// Rows of a sub-array at most: MSHR files of 16 entries are one in the tables, from 48 to 128 entries four.
const SUBARRAY_ROWS: u32 = 32;

/// A memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Array {
    /// Entries, at least 1.
    pub entries: u32,
    /// Bits of an entry without its tag.
    pub data_bits: u32,
    /// Bits of a tag, or none.
    pub tag_bits: u32,
    /// How an entry is found.
    pub search: Search,
    /// Ports, at least 1.
    pub ports: u32,
}

/// Constants of the formulas.
#[derive(Clone, PartialEq, Debug)]
pub struct ArrayTechnology {
    /// Node, nm.
    pub nm: u32,
    /// Supply, V.
    pub supply_v: f64,
    /// Cell of six transistors, um^2.
    pub cell_um2: f64,
    /// What one more port adds to the width of a cell (a pair of bit lines), um.
    pub port_width_um: f64,
    /// What one more port adds to the height of a cell (a word line), um.
    pub port_height_um: f64,
    /// Comparator for one bit, um^2: 60 transistors (1917 / 32) of 1.07 um^2.
    pub comparator_um2: f64,
    /// Precharge, sense amplifier, drivers of a column, um^2.
    pub column_um2: f64,
    /// Drivers of the search lines of a CAM's tag bit, in each sub-array, um^2.
    pub search_um2: f64,
    /// Control of an array, um^2.
    pub control_um2: f64,
    /// Column circuit, an access, fJ.
    pub column_fj: f64,
    /// Bit lines along one row, an access, fJ.
    pub row_fj: f64,
    /// Comparator for one bit, a comparison, fJ.
    pub comparator_fj: f64,
    /// Search lines of a tag bit in a sub-array, a search, fJ.
    pub search_fj: f64,
    /// Leakage of a cell, nW.
    pub cell_nw: f64,
    /// Leakage of a comparator for one bit, nW.
    pub comparator_nw: f64,
    /// Leakage of a column circuit, nW.
    pub column_nw: f64,
    /// CAM: search lines, match and encoding with no rows, ns.
    pub match_ns: f64,
    /// CAM: for each row of a sub-array, ns.
    pub match_row_ns: f64,
    /// Decoder: for each address bit of a sub-array, ns.
    pub decode_ns: f64,
    /// Word line, bit lines and sense amplifier with no rows, ns.
    pub sense_ns: f64,
    /// Bit lines: for each row of a sub-array, ns.
    pub bit_line_ns: f64,
    /// For each doubling of both sides of the array of sub-arrays, ns.
    pub distance_ns: f64,
}

impl ArrayTechnology {
    /// As calibrated, 130 nm.
    pub const NM130: ArrayTechnology = ArrayTechnology {
        nm: 130,
        supply_v: 1.3,
        cell_um2: 2.7,
        port_width_um: 0.70,
        port_height_um: 0.35,
        comparator_um2: 64.2,
        column_um2: 37.6,
        search_um2: 1598.0,
        control_um2: 21_800.0,
        column_fj: 28.8,
        row_fj: 1.66,
        comparator_fj: 194.0,
        search_fj: 840.0,
        cell_nw: 233.0,
        comparator_nw: 26_800.0,
        column_nw: 156.0,
        match_ns: 0.79,
        match_row_ns: 0.0075,
        decode_ns: 0.046,
        sense_ns: 0.565,
        bit_line_ns: 0.001_25,
        distance_ns: 0.04,
    };

    /// Scaled to another node with its supply: lengths and delays with the node, areas with its square, energies with the node
    /// (capacitance) times the square of the supply, leakage of a transistor with the supply alone, which is a lower bound: leakage
    /// currents have grown from node to node.
    pub fn scaled(nm: u32, supply_v: f64) -> Self {
        let base = Self::NM130;
        let length = f64::from(nm) / f64::from(base.nm);
        let supply = supply_v / base.supply_v;
        let (area, energy) = (length * length, length * supply * supply);
        Self {
            nm,
            supply_v,
            cell_um2: base.cell_um2 * area,
            port_width_um: base.port_width_um * length,
            port_height_um: base.port_height_um * length,
            comparator_um2: base.comparator_um2 * area,
            column_um2: base.column_um2 * area,
            search_um2: base.search_um2 * area,
            control_um2: base.control_um2 * area,
            column_fj: base.column_fj * energy,
            row_fj: base.row_fj * energy,
            comparator_fj: base.comparator_fj * energy,
            search_fj: base.search_fj * energy,
            cell_nw: base.cell_nw * supply,
            comparator_nw: base.comparator_nw * supply,
            column_nw: base.column_nw * supply,
            match_ns: base.match_ns * length,
            match_row_ns: base.match_row_ns * length,
            decode_ns: base.decode_ns * length,
            sense_ns: base.sense_ns * length,
            bit_line_ns: base.bit_line_ns * length,
            distance_ns: base.distance_ns * length,
        }
    }

    /// A cell with `ports` ports, um^2: square with one.
    pub fn cell(&self, ports: u32) -> f64 {
        let (side, more) = (self.cell_um2.sqrt(), f64::from(ports - 1));
        (side + more * self.port_width_um) * (side + more * self.port_height_um)
    }
}

/// What an array costs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ArrayCost {
    /// mm^2.
    pub area_mm2: f64,
    /// Of one access, pJ.
    pub energy_pj: f64,
    /// mW.
    pub leakage_mw: f64,
    /// ns.
    pub access_ns: f64,
    /// Of the comparison of tags alone, ns; zero where an entry is found by number.
    pub tag_ns: f64,
}

impl ArrayCost {
    /// With one access after the other, mW.
    pub fn dynamic_mw(&self) -> f64 {
        self.energy_pj / self.access_ns
    }
}

impl Array {
    /// A plain memory with one port.
    pub fn ram(entries: u32, bits: u32) -> Self {
        Self { entries, data_bits: bits, tag_bits: 0, search: Search::Index, ports: 1 }
    }

    /// Ways that are read and compared at a time (a CAM compares all its entries and reads one).
    fn ways(&self) -> u32 {
        if let Search::Ways(ways) = self.search { ways.clamp(1, self.entries) } else { 1 }
    }

    /// Rows of cells.
    pub fn rows(&self) -> u32 {
        self.entries.div_ceil(self.ways())
    }

    /// Sub-arrays: one, four, or the smallest larger power of two, with which none has more than 32 rows.
    pub fn subarrays(&self) -> u32 {
        let mut parts = 1;
        while self.rows().div_ceil(parts) > SUBARRAY_ROWS {
            parts *= if parts == 1 { 4 } else { 2 };
        }
        parts
    }

    /// Column circuits, of all sub-arrays and ports.
    pub fn columns(&self) -> u64 {
        u64::from(self.subarrays()) * u64::from(self.ways() * (self.data_bits + self.tag_bits)) * u64::from(self.ports)
    }

    /// Area, energy, leakage and time.
    pub fn cost(&self, t: &ArrayTechnology) -> ArrayCost {
        let all = self.search == Search::All;
        let parts = self.subarrays();
        let rows = f64::from(self.rows()) / f64::from(parts);
        let columns = f64::from(self.ways() * (self.data_bits + self.tag_bits));
        let read = if all { f64::from(self.data_bits) } else { columns };
        let cells = f64::from(self.entries) * f64::from(self.data_bits + self.tag_bits);
        let compared = f64::from(self.tag_bits) * f64::from(if all { self.entries } else { self.ways() });
        let searched = if all { f64::from(parts) * f64::from(self.tag_bits) } else { 0.0 };
        let circuits = f64::from(parts) * columns;
        let ports = f64::from(self.ports);
        let periphery = compared * t.comparator_um2 + circuits * t.column_um2 + searched * t.search_um2;
        let sense = t.sense_ns + rows * t.bit_line_ns + f64::from(parts.ilog2()) / 2.0 * t.distance_ns;
        let tag_ns = if all { t.match_ns + rows * t.match_row_ns } else { 0.0 };
        let find = if all { tag_ns } else { rows.log2().max(0.0) * t.decode_ns };
        ArrayCost {
            area_mm2: (cells * t.cell(self.ports) + ports * periphery + t.control_um2) * 1e-6,
            energy_pj: (read * (t.column_fj + rows * t.row_fj) + compared * t.comparator_fj + searched * t.search_fj)
                * 1e-3,
            leakage_mw: (cells * t.cell_nw + ports * (compared * t.comparator_nw + circuits * t.column_nw)) * 1e-6,
            access_ns: find + sense,
            tag_ns,
        }
    }
}
