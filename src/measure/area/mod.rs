//! Area and power: what a chip costs, next to what it does.
//!
//! ```text
//!   Fabric --shape--> routers, links as plain numbers --network--> mm^2 by kind --chip--> mm^2 of the chip, share of the network
//!                                                        ^ crossbar, buffer, allocator, link: a formula each
//!                                                        ^ technology: the constants, 65 nm and scaled
//! ```
//!
//! In comes a checked chip ([`rtl::chip::Chip`]); out come tables that [`crate::report`] prints and the command
//! `warpmesh area` shows. Nothing here simulates, and nothing is fitted to a design: a design differs from another by
//! its connectivity matrices and parameters alone. Formulas, constants, sources, and what the models are not good for:
//! `docs/area-power.md`.
//!
//! * [`technology`]: every constant of the analytic model, with its source, and how it scales.
//! * [`crossbar`], [`buffer`], [`allocator`], [`link`]: one formula each.
//! * [`shape`]: the only file that looks into the network's types.
//! * [`network`], [`chip`]: sums.
//! * [`mod@array`]: RAM, set-associative and fully associative arrays, calibrated at 130 nm; [`mshr`]: what miss handling is made of;
//!   [`mshr_tables`]: the tables of Kim's thesis, and miss handling of this project beside.
//! * [`caches`]: the arrays of data caches and L2 banks.
//! * [`structure`]: what the elaborated netlist consists of, counted by hierarchy in [`leaves`], whose sizes are gate equivalents ([`cells`]);
//!   [`operator_leaves`]: of operators, with [`bit_sources`] and [`operator_shapes`]; [`mod@synthesis`]: what Yosys
//!   ([`yosys`]) makes of the exported Verilog of the same blocks, in its own gates or in those of a library ([`liberty`]).
//! * [`mod@inventory`]: the netlist by kind of tile, with the clocks of its flip-flops; [`leaf`]: what a gate, a bit, a flip-flop, an operation leaks and draws.
//! * [`toggled`]: gates, pins and flip-flops that toggle, from the switching activity of all nets, and their energy.
//! * [`arrays`]: reads and writes of the arrays of cores and controllers, and their energy.
//! * [`activity`]: what a simulated network has done, from the counters of its routers; [`switching`]: how many bits that has switched, from a
//!   sample of flits; [`power`]: what that has cost.

pub mod activity;
pub mod allocator;
pub mod array;
pub mod arrays;
pub mod bit_sources;
pub mod buffer;
pub mod caches;
pub mod cells;
pub mod chip;
pub mod crossbar;
pub mod inventory;
pub mod leaf;
pub mod leaves;
pub mod liberty;
pub mod link;
pub mod mshr;
pub mod mshr_tables;
pub mod network;
pub(crate) mod operator_leaves;
pub(crate) mod operator_shapes;
pub mod power;
pub mod shape;
pub mod structure;
pub mod switching;
pub mod synthesis;
pub mod synthesised;
pub mod technology;
pub mod toggled;
pub mod yosys;

pub use activity::{FlitActivity, RouterActivity, VcActivity};
pub use array::{Array, ArrayCost, ArrayTechnology, Search};
pub use arrays::ArrayUse;
pub use caches::CacheArea;
pub use cells::Cells;
pub use chip::ChipArea;
pub use crossbar::CrossbarModel;
pub use inventory::{TileGroup, inventory};
pub use leaf::LeafCosts;
pub use leaves::{Leaf, Leaves};
pub use network::{NetworkArea, RouterArea};
pub use power::{FlitEnergy, NetworkPower, PowerTechnology};
pub use shape::{Layout, LinkShape, NetworkShape, PlacedRouter, RouterShape};
pub use structure::{BlockGroup, Structure};
pub use switching::{Switching, SwitchingSampler};
pub use synthesis::{CellCount, Synthesis, synthesise};
pub use technology::{Technology, TechnologyNode};
pub use toggled::{ToggleLoads, Toggled};
pub use yosys::SynthesisError;

/// mm^2 in a um^2.
const MM2: f64 = 1e-6;
