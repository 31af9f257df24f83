//! The memory controller against its DRAM device and against a flat byte array.

use warpmesh::{
    hdl::{Builder, Module},
    memory::*,
    netlist::elaborate,
    params,
};

fn map(controllers: usize) -> AddressMap {
    let nodes: Vec<_> = (0..controllers).map(|c| c * 2 + 1).collect();
    AddressMap::new(&nodes, 36, 8, 2048).expect("legal")
}

fn params(timing: DramTiming) -> ControllerParams {
    ControllerParams { map: map(4), timing, tag_bits: 8, queue_entries: 32, reply_entries: 8, tx_places: 2 }
}

/// A tile with the map's hardware functions.
fn map_unit(map: &AddressMap) -> Module {
    let m = Builder::new("map_unit", params! { c: map.controllers() });
    let address = m.input("address", 32);
    let at = map.coordinates(&m, address);
    m.output_of("node", map.destination(&m, address));
    m.output_of("row", at.row);
    m.output_of("bank", at.bank);
    m.output_of("column", at.column);
    m.finish()
}

#[test]
fn controller_is_a_tile_and_the_map_elaborates() {
    for controllers in [1, 2, 3, 8, 11] {
        let module = map_unit(&map(controllers));
        if let Err(error) = elaborate(&module) {
            panic!("{error}");
        }
    }
    for timing in
        [DramTiming::default(), DramTiming { t_cl: 1, t_rp: 1, t_rc: 1, t_ras: 1, t_rcd: 1, t_rrd: 1, burst: 1 }]
    {
        let module = controller(&params(timing));
        let design = elaborate(&module).unwrap_or_else(|error| panic!("{error}"));
        assert!(design.about(&module).registered.iter().all(|r| *r), "every output is a register");
    }
}
