//! The output units of a network in simulation.

use hdl::Tap;
use rtl::noc::{Fabric, fabric::PlacedOutput};
use sim::{OutputHandle, SimError, Simulator};

/// Each output unit of `fabric` with its nets of these taps, in a simulation of something in whose top [`Fabric::build`]
/// has placed it; routers of side networks have no output units.
///
/// # Errors
/// There are not as many output units: it is another network.
pub(crate) fn output_unit_taps<const N: usize>(
    fabric: &Fabric,
    simulator: &Simulator,
    taps: [Tap; N],
) -> Result<Vec<(PlacedOutput, [OutputHandle; N])>, SimError> {
    // Both are router by router in the order of the sites, and in a router in that of its outputs.
    let nets: Vec<_> = simulator.taps(taps).into_iter().flatten().collect();
    let units: Vec<_> = fabric.output_units().into_iter().filter(|unit| unit.of_side_network.is_none()).collect();
    if nets.len() != units.len() {
        return Err(SimError::Taps { tap: taps[0].to_string(), found: nets.len(), expected: units.len() });
    }
    Ok(units.into_iter().zip(nets).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{area::SwitchingSampler, host::packet_ports::PacketPort, statistics::HardwareStatistics, timeline};
    use rtl::{
        chip::{self, Chip},
        noc::output_unit::{FLIT, REGISTER_VALID},
    };
    use sim::{Engine, Options};
    use std::path::Path;

    fn simulated(name: &str, overrides: &[&str]) -> (Chip, Simulator) {
        let overrides: Vec<_> = overrides.iter().map(|o| o.to_string()).collect();
        let chip = chip::load(Some(Path::new(name)), &overrides).expect("legal");
        let design = netlist::elaborate(&chip::build(&chip).expect("legal")).expect("legal");
        let options = Options { engine: Engine::Interpreter, ..Options::default() };
        (chip, Simulator::new(&design, &options).expect("can be simulated"))
    }

    /// All organisations of a network, whatever stands between endpoints and routers: what reports look at is tied.
    #[test]
    fn everything_that_reports_look_at_is_there() {
        for (name, overrides) in [
            ("small.toml", &[][..]),
            ("small.toml", &["clocks.noc=500", "network.extra_latency=1"]),
            ("small-ch6.toml", &[]),
            ("small.toml", &["network.organisation=dedicated"]),
            ("small-ring.toml", &[]),
            ("small-da2mesh.toml", &[]),
        ] {
            let (chip, mut simulator) = simulated(name, overrides);
            let fabric = chip.fabric();
            let ports = PacketPort::all(&chip, &simulator).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(ports.len(), chip.core_nodes().len() + chip.memory_nodes().len(), "{name}");
            SwitchingSampler::new(fabric, &simulator).unwrap_or_else(|e| panic!("{name}: {e}"));
            timeline::Timeline::new(&chip, &simulator, 0..1).unwrap_or_else(|e| panic!("{name}: {e}"));
            // Where statistics are by their paths, those of the same output units are there.
            let flits = HardwareStatistics::from(simulator.probes()).flits(fabric);
            assert!(flits.iter().all(|(_, vcs)| !vcs.is_empty()), "{name}");
            for (unit, [register, flit]) in output_unit_taps(fabric, &simulator, [REGISTER_VALID, FLIT]).expect("tied")
            {
                let net = |name: &str| simulator.net(&format!("{}.{name}", unit.path)).expect("it is there");
                assert_eq!([register, flit], ["output_valid", "out_valid"].map(net), "{name}: {}", unit.path);
            }
        }
    }

    #[test]
    fn what_is_not_tied_is_an_error() {
        let (chip, _) = simulated("small.toml", &["network.columns=3"]);
        let (_, other) = simulated("small.toml", &[]);
        let Err(error) = SwitchingSampler::new(chip.fabric(), &other) else { panic!("it is another network") };
        assert!(error.to_string().starts_with("tap `output_unit.REGISTER_VALID` is tied to"), "{error}");
        let Err(error) = PacketPort::all(&chip, &other) else { panic!("it has other nodes") };
        assert!(error.to_string().ends_with("is tied to 0 nets of the design, 1 expected"), "{error}");
    }
}
