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

pub mod double_unit;
pub mod execution_unit;
pub mod shared_unit;
pub mod special_unit;

pub use execution_unit::{ExecutionUnit, ExecutionUnitPorts, PlacedUnit, UnitBeat, UnitBits, UnitMemory};

use super::config::CoreParams;
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

/// All of them, in the order of their ports and of their turn at the registers.
pub const UNITS: &[&dyn ExecutionUnit] = &[&double_unit::DoublePrecision, &special_unit::SpecialFunctions];

/// What [`Hazards`](super::decode::Hazards) have of each unit: whether the instruction is one of its own, and takes a place
/// where not each does.
pub type UnitHazards<S> = [[Option<S>; 2]; UNITS.len()];
/// What [`Controls`](super::decode::Controls) have of each unit: whether the instruction is one of its own, and writes a register.
pub type UnitControls<S> = [[Option<S>; 2]; UNITS.len()];
/// What [`Hold`](super::ports::Hold) has of each unit: it has no place.
pub type UnitHolds<S> = [Option<S>; UNITS.len()];

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
    UNITS.iter().flat_map(|unit| of(*unit)).map(|name| (name.unwrap_or_default(), None)).collect()
}

/// One bit for each name, of the units that the core has.
pub(super) fn fields<const N: usize>(p: &CoreParams, of: BitNames<N>) -> Vec<Field> {
    let width = |unit: &&dyn ExecutionUnit, name: Option<_>| u32::from(name.is_some() && p.has_unit(*unit));
    let widths = UNITS.iter().flat_map(|unit| of(*unit).map(|name| width(unit, name)));
    names(of).into_iter().zip(widths).map(|((name, values), width)| Field { name, width, values, about: "" }).collect()
}

/// For each unit that the core has, what `of` says; in the order of [`UNITS`].
pub(super) fn of_units<T>(
    p: &CoreParams,
    mut of: impl FnMut(&'static dyn ExecutionUnit) -> T,
) -> [Option<T>; UNITS.len()] {
    std::array::from_fn(|u| p.has_unit(UNITS[u]).then(|| of(UNITS[u])))
}

/// The unit that computes an instruction, if it is none of the lanes.
pub(super) fn unit_of(opcode: Opcode) -> Option<&'static dyn ExecutionUnit> {
    UNITS.iter().copied().find(|unit| unit.computes(opcode))
}

/// The unit that gives a core what a kernel may need, and the configuration key that says so.
pub fn unit_with(feature: Feature) -> Option<(&'static dyn ExecutionUnit, &'static str)> {
    let of = |unit: &&'static dyn ExecutionUnit| Some((*unit, unit.requirement().filter(|(of, _)| *of == feature)?.1));
    UNITS.iter().find_map(of)
}

/// What all units count.
pub fn statistics() -> Vec<Statistic> {
    UNITS.iter().flat_map(|unit| unit.statistics()).copied().collect()
}

impl CoreParams {
    /// It has this unit beside the lanes.
    pub fn has_unit(&self, unit: &dyn ExecutionUnit) -> bool {
        unit.count(self) > 0
    }

    /// The units beside the lanes that it has.
    pub fn units(&self) -> impl Iterator<Item = &'static dyn ExecutionUnit> {
        UNITS.iter().copied().filter(|unit| self.has_unit(*unit))
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
            assert!(UNITS.iter().filter(|unit| unit.computes(opcode)).count() <= 1, "{opcode:?}");
        }
        for unit in UNITS {
            assert!(Opcode::ALL.iter().any(|&opcode| unit.computes(opcode)), "{}", unit.name());
            let half = unit.bits().reserves.map(|(_, half)| half);
            assert!(half.is_none_or(|half| unit.computes(half)), "{}", unit.name());
        }
        let bits = UNITS.iter().flat_map(|unit| [unit.bits().issues, unit.bits().writes]).collect::<Vec<_>>();
        assert!((1..bits.len()).all(|i| !bits[..i].contains(&bits[i])), "{bits:?}");
    }
}
