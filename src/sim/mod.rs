//! Simulation of elaborated designs.
