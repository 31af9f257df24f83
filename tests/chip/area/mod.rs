//! Area and power against published tables, and against themselves.

mod caches;
mod energy;
mod monotone;
mod mshr;
mod overlays;
mod power;
mod structure;
mod table;
mod timing;

/// Clock of the network of the default chip, Hz.
const NETWORK_HERTZ: f64 = 602e6;
