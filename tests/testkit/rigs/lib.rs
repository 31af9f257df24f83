//! Surroundings of blocks under test: what is above and below a cache ([`cache_rig`]), flits around a network or a part of one
//! ([`network_rig`]), an endpoint and flits around a network interface ([`interface_rig`]).
//!
//! They are linked with tests and benches alone.

#![forbid(unsafe_code)]

pub mod cache_rig;
pub mod interface_rig;
pub mod network_rig;

use testkit_base::matrix;
