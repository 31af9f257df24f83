//! Execution units beside the lanes: each is a file and a row of [`UNITS`].
//!
//! ```text
//!   front_end --- reserve: one of its own issues ---------.        .--- a beat of it, with its operands --- operands
//!       ^                                                 v        v
//!       |                                               +-------------+
//!       |<-- hold_<name>: the unit is not ready --------| <name>_unit |--- <name> (RegisterWrite) --> write_back
//!       |<-- <name>_done, to the scoreboard ------------|             |<-- <name>_granted -----------
//!                                                       +-------------+
//! ```
//!
//! Contract: the decoder marks the instructions of each unit ([`UnitBits`]); one that takes a place waits in its warp
//! until the unit is `ready`, and its result goes to the registers behind those of lanes and loads. All bits and ports
//! exist where the core has the unit. Decoder, warps, scoreboard, front end, write-back and [`tile`](super::tile) go
//! through the list, and so do the refusal of kernels, the list of statistics and the energy of a run.
//!
//! Another crate adds a unit of its own ([`add`]) before anything looks at the list. It takes opcodes that the lanes
//! compute in a core without it; a configuration says how many there are by the key `core.own_units.<name>`.

pub mod double_unit;
pub mod execution_unit;
pub mod shared_unit;
pub mod special_unit;
pub mod word_unit;

pub use execution_unit::{ExecutionUnit, ExecutionUnitPorts, PlacedUnit, UnitBeat, UnitBits, UnitMemory};

use super::config::CoreParams;
use super::own_rows::UNIT_NAMES;
use common::policies::{OpenTable, RowError};
use hdl::{Field, PortName, Statistic, Values};
use program::{Feature, isa::Opcode};

/// Where words for the registers come from: what ports are called after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Writer(&'static str);

impl Writer {
    /// The lanes.
    pub const LANES: Self = Self("lane");
    /// Loads of global memory.
    pub const LOADS: Self = Self("load");
    /// Loads of shared memory, and of constants where they have a unit of their own.
    pub const SHARED: Self = Self("shared");

    /// A unit beside the lanes.
    pub fn of(unit: &dyn ExecutionUnit) -> Self {
        Self(unit.name())
    }
}

impl PortName for Writer {
    fn append_to(&self, out: &mut String) {
        self.0.append_to(out);
    }
}

/// All of them, in the order of their ports and of their turn at the registers; those of other crates come last.
pub static UNITS: OpenTable<dyn ExecutionUnit> =
    OpenTable::new("execution unit", |unit| unit.name(), &[&double_unit::DoublePrecision, &special_unit::SPECIAL]);

/// The most that there can be.
pub const MOST_UNITS: usize = 8;

/// What the core calls other things that a unit's name is beside.
const NAMES_OF_OTHERS: [&str; 7] = ["lane", "lanes", "load", "loads", "shared", "stores", "predicate"];

/// Adds a unit to [`UNITS`].
///
/// # Errors
/// When its name or that of one of its bits is taken, it computes nothing, or what the lanes do not compute or another
/// unit does, there are [`MOST_UNITS`], or a core or a configuration has been made.
pub fn add(unit: &'static dyn ExecutionUnit) -> Result<(), RowError> {
    UNITS.add(unit, |rows| {
        let refused = |why: String| RowError::Refused { table: "execution unit", name: unit.name(), why };
        if rows.len() >= MOST_UNITS {
            return Err(refused(format!("{} are there already; allowed: {MOST_UNITS}", rows.len())));
        }
        let bits_of = |unit: &dyn ExecutionUnit| {
            let UnitBits { issues, writes, reserves } = unit.bits();
            [Some(issues), Some(writes), reserves.map(|(name, _)| name)].into_iter().flatten().collect::<Vec<_>>()
        };
        let others: Vec<_> = rows.iter().flat_map(|other| bits_of(*other)).chain(NAMES_OF_OTHERS).collect();
        if let Some(taken) = bits_of(unit).into_iter().chain([unit.name()]).find(|name| others.contains(name)) {
            return Err(refused(format!("name `{taken}` is taken; allowed: one of its own")));
        }
        let opcodes: Vec<_> = Opcode::ALL.iter().copied().filter(|&opcode| unit.computes(opcode)).collect();
        if opcodes.is_empty() {
            return Err(refused("it computes no opcode; allowed: some that the lanes compute".into()));
        }
        for opcode in opcodes {
            let other = rows.iter().find(|other| other.computes(opcode)).map(|other| other.name());
            if let Some(other) = other.or_else(|| (!is_of_lanes(opcode)).then_some("no lane")) {
                let mnemonic = opcode.mnemonic();
                return Err(refused(format!("{other} computes {mnemonic}; allowed: opcodes of the lanes alone")));
            }
        }
        UNIT_NAMES.add(unit.name(), unit.about())?;
        Ok(rows.len())
    })
}

/// The lanes compute a word from operands.
fn is_of_lanes(opcode: Opcode) -> bool {
    opcode.writes_register() && (1..=4).contains(&(opcode as u8 >> 5))
}

/// What [`Hazards`](super::decode::Hazards) have of each unit: whether the instruction is one of its own, and takes a place
/// where not each does.
pub type UnitHazards<S> = [[Option<S>; 2]; MOST_UNITS];
/// What [`Controls`](super::decode::Controls) have of each unit: whether the instruction is one of its own, and writes a register.
pub type UnitControls<S> = [[Option<S>; 2]; MOST_UNITS];
/// What [`Hold`](super::ports::Hold) has of each unit: it has no place.
pub type UnitHolds<S> = [Option<S>; MOST_UNITS];

/// Names of bits of a unit; none in place of one that it does not have.
type BitNames<const N: usize> = fn(&'static dyn ExecutionUnit) -> [Option<&'static str>; N];

/// Of [`UnitHazards`].
pub(super) fn hazard_bits(unit: &'static dyn ExecutionUnit) -> [Option<&'static str>; 2] {
    let UnitBits { issues, reserves, .. } = unit.bits();
    [Some(issues), reserves.map(|(name, _)| name)]
}

/// Of [`UnitControls`].
pub(super) fn control_bits(unit: &'static dyn ExecutionUnit) -> [Option<&'static str>; 2] {
    [unit.bits().issues, unit.bits().writes].map(Some)
}

/// Of [`UnitHolds`].
pub(super) fn hold_bits(unit: &'static dyn ExecutionUnit) -> [Option<&'static str>; 1] {
    [Some(unit.name())]
}

/// What the bits of all units are called; one that a unit does not have has an empty name.
pub(super) fn names<const N: usize>(of: BitNames<N>) -> Vec<(&'static str, Option<Values>)> {
    each(of).into_iter().map(|(name, _)| (name.unwrap_or_default(), None)).collect()
}

/// One bit for each name, of the units that the core has.
pub(super) fn fields<const N: usize>(p: &CoreParams, of: BitNames<N>) -> Vec<Field> {
    let width = |name: Option<_>, unit: Option<&dyn ExecutionUnit>| {
        u32::from(name.is_some() && unit.is_some_and(|unit| p.has_unit(unit)))
    };
    let field = |(name, unit): (Option<&'static str>, _)| Field {
        name: name.unwrap_or_default(),
        width: width(name, unit),
        values: None,
        about: "",
    };
    each(of).into_iter().map(field).collect()
}

/// The bits in as many places as there can be units.
fn each<const N: usize>(of: BitNames<N>) -> Vec<(Option<&'static str>, Option<&'static dyn ExecutionUnit>)> {
    let unit = |place: usize| UNITS.rows().get(place).copied();
    let bits = |unit: Option<&'static dyn ExecutionUnit>| unit.map_or([None; N], of).map(|name| (name, unit));
    (0..MOST_UNITS).flat_map(|place| bits(unit(place))).collect()
}

/// For each unit that the core has, what `of` says; in the order of [`UNITS`].
pub(super) fn of_units<T>(
    p: &CoreParams,
    mut of: impl FnMut(&'static dyn ExecutionUnit) -> T,
) -> [Option<T>; MOST_UNITS] {
    std::array::from_fn(|u| UNITS.rows().get(u).filter(|unit| p.has_unit(**unit)).map(|unit| of(*unit)))
}

/// The unit that gives a core what a kernel may need, and the configuration key that says so.
pub fn unit_with(feature: Feature) -> Option<(&'static dyn ExecutionUnit, &'static str)> {
    let of = |unit: &&'static dyn ExecutionUnit| Some((*unit, unit.requirement().filter(|(of, _)| *of == feature)?.1));
    UNITS.rows().iter().find_map(of)
}

/// What all units count.
pub fn statistics() -> Vec<Statistic> {
    UNITS.rows().iter().flat_map(|unit| unit.statistics()).copied().collect()
}

impl CoreParams {
    /// It has this unit beside the lanes.
    pub fn has_unit(&self, unit: &dyn ExecutionUnit) -> bool {
        unit.count(self) > 0
    }

    /// The units beside the lanes that it has.
    pub fn units(&self) -> impl Iterator<Item = &'static dyn ExecutionUnit> {
        UNITS.rows().iter().copied().filter(|unit| self.has_unit(*unit))
    }

    /// The unit that computes an instruction, if it is none of the lanes.
    pub(super) fn unit_of(&self, opcode: Opcode) -> Option<&'static dyn ExecutionUnit> {
        self.units().find(|unit| unit.computes(opcode))
    }

    /// Something computes it: the lanes, or a unit that the core has.
    pub(super) fn computes(&self, opcode: Opcode) -> bool {
        let needed = |unit: &&&dyn ExecutionUnit| unit.requirement().is_some() && unit.computes(opcode);
        UNITS.rows().iter().find(needed).is_none_or(|unit| self.has_unit(*unit))
    }

    /// Where words for the registers come from, in the order of their turn at the registers.
    pub fn writers(&self) -> impl Iterator<Item = Writer> {
        [Writer::LANES, Writer::LOADS, Writer::SHARED].into_iter().chain(self.units().map(Writer::of))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opcode_is_of_one_unit_and_names_are_of_one_bit() {
        for &opcode in Opcode::ALL {
            assert!(UNITS.rows().iter().filter(|unit| unit.computes(opcode)).count() <= 1, "{opcode:?}");
        }
        for unit in UNITS.rows() {
            assert!(Opcode::ALL.iter().any(|&opcode| unit.computes(opcode)), "{}", unit.name());
            let half = unit.bits().reserves.map(|(_, half)| half);
            assert!(half.is_none_or(|half| unit.computes(half)), "{}", unit.name());
        }
        let bits = UNITS.rows().iter().flat_map(|unit| [unit.bits().issues, unit.bits().writes]).collect::<Vec<_>>();
        assert!((1..bits.len()).all(|i| !bits[..i].contains(&bits[i])), "{bits:?}");
    }
}
