//! Chips from their configuration to their reports: keys and mistakes in them ([`config`], [`keys`]), shipped designs and
//! the papers' ([`designs`], [`papers`]), runs of kernels on whole chips ([`run`], [`limits`], [`clocks`], [`posted`],
//! [`dispatcher`]), chips in step with their Verilog ([`lockstep`]), drawn chips and policies ([`drawn_chips`],
//! [`drawn_policies`]), statistics, area and power.

mod area;
mod clocks;
mod config;
mod designs;
mod dispatcher;
mod drawn_chips;
mod drawn_policies;
mod keys;
mod launches;
mod limits;
mod lockstep;
mod papers;
mod posted;
mod run;
mod statistics;

use testkit::{
    campaign, chip_beside_verilog, config_keys, design_routers, matrix, parquet_file, policies, random_chips,
};
