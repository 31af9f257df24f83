//! Area and power against published tables, and against themselves.

mod energy;
mod monotone;
mod mshr;
mod power;
mod structure;
mod table;
