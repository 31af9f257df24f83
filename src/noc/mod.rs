//! The network-on-chip: topology, placement, routing, router generator, network interface.
