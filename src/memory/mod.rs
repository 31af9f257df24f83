//! Memory nodes: address map, DRAM controller, and the behavioural DRAM device.
