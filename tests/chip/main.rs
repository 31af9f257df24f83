//! Chips from their configuration to their reports: keys and mistakes in them ([`config`], [`keys`]), shipped designs and
//! the papers' ([`designs`], [`papers`]), runs of kernels on whole chips ([`run`], [`limits`], [`clocks`], [`posted`],
//! [`dispatcher`]), chips in step with their Verilog ([`lockstep`]), drawn chips and policies ([`drawn_chips`],
//! [`drawn_policies`]), statistics, area and power.

mod area;
#[path = "../support/campaign.rs"]
mod campaign;
#[path = "../support/chip_beside_verilog.rs"]
mod chip_beside_verilog;
mod clocks;
mod config;
#[path = "../support/config_keys/mod.rs"]
mod config_keys;
#[path = "../support/design_routers.rs"]
mod design_routers;
mod designs;
mod dispatcher;
mod drawn_chips;
mod drawn_policies;
#[allow(dead_code, reason = "blocks are exported elsewhere")]
#[path = "../support/exports/mod.rs"]
mod exports;
mod keys;
mod launches;
mod limits;
mod lockstep;
#[path = "../support/matrix.rs"]
mod matrix;
mod papers;
#[path = "../support/parquet_file.rs"]
mod parquet_file;
#[path = "../support/policies.rs"]
mod policies;
mod posted;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/random_chips/mod.rs"]
mod random_chips;
mod run;
mod statistics;
