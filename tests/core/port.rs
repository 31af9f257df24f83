//! The memory port with several clients, against a model of queues; and its Verilog.

use crate::matrix::options;
use hdl::Bits;
use memory::{AddressMap, packets::MemoryPackets};
use netlist::elaborate;
use noc::MessageClass;
use protocol::{LINE_SIZES, Protocol};
use sim::Simulator;
use simt_core::memory::memory_port::{MemoryPortParams, memory_port};
use std::collections::{HashMap, VecDeque};
use verilog::lockstep::{Rng, RunLength, Values, lockstep};

fn params(clients: u32, line_bytes: u32) -> MemoryPortParams {
    let map = AddressMap::new(&[0, 3, 12], 16, 8, 2048).expect("a legal map").with_line_bytes(line_bytes);
    MemoryPortParams {
        clients,
        client: Protocol { line_bytes, tag_bits: 3 },
        tx_queue_packets: 2,
        map,
        replies: 0,
        flit_bits: 128,
    }
}

/// A request as a client shows it.
#[derive(Clone, PartialEq, Debug)]
struct PortRequest {
    write: u64,
    tag: u64,
    line: u64,
    words: u64,
    bytes: u64,
    data: Bits,
}

impl PortRequest {
    fn draw(random: &mut Rng, p: &Protocol) -> Self {
        let mut below = |bits: u32| random.below(1 << bits);
        let (write, tag, line) = (below(1), below(p.tag_bits), below(p.line_number_bits()));
        let (words, bytes) = (below(p.words()), below(4));
        Self { write, tag, line, words, bytes, data: random.bits(p.data_bits()) }
    }

    fn show(&self, sim: &mut Simulator, client: u32) {
        let fields = [("write", self.write), ("tag", self.tag), ("line", self.line), ("words", self.words)];
        for (field, value) in fields.into_iter().chain([("bytes", self.bytes)]) {
            sim.poke(&format!("client{client}_{field}"), value);
        }
        sim.poke_bits(&format!("client{client}_data"), &self.data);
    }
}

/// Every request arrives once and unchanged, those of a client in order; every reply reaches who asked; a client waits
/// for no more than one request of each other client.
fn run(clients: u32, line_bytes: u32, seed: u64) {
    let p = params(clients, line_bytes);
    let protocol = p.client;
    let mut sim = Simulator::new(&elaborate(&memory_port(&p)).expect("elaborates"), &options()).expect("simulates");
    sim.reset(2);
    let mut random = Rng::new(seed);
    let mut shown: Vec<Option<(PortRequest, u32)>> = vec![None; clients as usize];
    let mut on_the_way: VecDeque<(u32, PortRequest)> = VecDeque::new();
    let mut expected_replies: HashMap<u32, VecDeque<(u64, Bits)>> = HashMap::new();
    let (mut owed, mut sent) = (0, 0);
    for cycle in 0..3_000 {
        for (client, slot) in shown.iter_mut().enumerate() {
            if slot.is_none() && random.chance(0.6) {
                let asked = PortRequest::draw(&mut random, &protocol);
                asked.show(&mut sim, client as u32);
                *slot = Some((asked, 0));
            }
            sim.poke(&format!("client{client}_valid"), slot.is_some().into());
        }
        let credit = owed > 0 && random.chance(0.7);
        owed -= u32::from(credit);
        sim.poke("tx_credit", credit.into());
        // A reply for some client.
        let client = random.below(u64::from(clients)) as u32;
        let (reply, tag, data) = (random.chance(0.4), random.below(8), random.bits(protocol.data_bits()));
        sim.poke("rx_valid", reply.into());
        sim.poke("rx_sideband", p.packets().sideband(false, u64::from(client) << 3 | tag));
        sim.poke_bits("rx_payload", &data);
        for c in 0..clients {
            let valid = sim.peek(&format!("client{c}_reply_valid")) == 1;
            assert_eq!(valid, reply && c == client, "cycle {cycle}");
            if valid {
                assert_eq!(sim.peek(&format!("client{c}_reply_tag")), tag);
                assert_eq!(sim.peek_bits(&format!("client{c}_reply_data")), data);
                expected_replies.entry(c).or_default().push_back((tag, data.clone()));
            }
        }
        let taken: Vec<_> = (0..clients).filter(|c| sim.peek(&format!("client{c}_taken")) == 1).collect();
        assert!(taken.len() <= 1, "one request a cycle");
        if let Some(&client) = taken.first() {
            let (asked, waited) = shown[client as usize].take().expect("only what is shown is taken");
            assert!(waited < clients, "client {client} has waited for {waited} requests of others");
            on_the_way.push_back((client, asked));
            shown.iter_mut().flatten().for_each(|(_, waited)| *waited += 1);
        }
        sim.step().expect("no assertion fails");
        if sim.peek("tx_valid") == 1 {
            let (client, asked) = on_the_way.pop_front().expect("a packet is a request");
            let payload = sim.peek_bits("tx_payload");
            let header = MemoryPackets::header(&payload);
            let (line, words) = (protocol.line_number_bits(), protocol.words());
            assert_eq!(header & ((1 << line) - 1), asked.line);
            assert_eq!(header >> line & ((1 << words) - 1), asked.words);
            assert_eq!(header >> (line + words), asked.bytes, "nothing above the byte mask");
            let address = (asked.line * u64::from(line_bytes)) as u32;
            assert_eq!(sim.peek("tx_dest"), p.map.node(address) as u64);
            let number = if clients > 1 { u64::from(client) << 3 } else { 0 };
            let write = asked.write == 1;
            assert_eq!(p.packets().write_and_tag(sim.peek("tx_sideband")), (write, number | asked.tag));
            // A read is a header in one flit, whose rest is zero; a write has all of its line behind it.
            assert_eq!(sim.peek("tx_flits"), u64::from(if write { (8 + line_bytes).div_ceil(16) } else { 1 }));
            if write {
                assert_eq!(p.packets().line(MessageClass::Request, &payload), asked.data);
            } else {
                assert_eq!(payload.slice(64, 64).to_u64(), 0, "the rest of the only flit");
            }
            (owed, sent) = (owed + 1, sent + 1);
        }
        assert!(on_the_way.is_empty(), "a request is a packet in the next cycle");
    }
    assert!(sent > 1_000, "{sent} requests");
    assert!((0..clients).all(|c| expected_replies.get(&c).is_some_and(|replies| replies.len() > 50)));
}

#[test]
fn requests_of_all_clients_arrive_and_replies_come_back() {
    for line_bytes in LINE_SIZES {
        for clients in [1, 2, 3, 5] {
            run(clients, line_bytes, u64::from(clients * line_bytes));
        }
    }
}

#[test]
fn a_port_of_several_clients_agrees_with_its_verilog() {
    let p = params(3, 128);
    let mut random = Rng::new(5);
    let mut owed = 0;
    let mut stimulus = |_: u64, seen: &Values, inputs: &mut Values| {
        owed += seen.get("tx_valid");
        let credit = owed > 0 && random.chance(0.8);
        owed -= u64::from(credit);
        inputs.set("tx_credit", credit.into());
        for client in 0..3 {
            for field in ["valid", "write", "tag", "line", "words", "bytes"] {
                inputs.set(&format!("client{client}_{field}"), random.next_u64());
            }
            inputs.set_bits(&format!("client{client}_data"), &random.bits(1024));
        }
        for field in ["rx_valid", "rx_sideband"] {
            inputs.set(field, random.next_u64());
        }
        inputs.set_bits("rx_payload", &random.bits(1024));
    };
    let agreement =
        lockstep(&memory_port(&p), &mut stimulus, &RunLength { sim: options(), ..RunLength::cycles(3_000) });
    let agreement = agreement.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(agreement.still, Vec::<String>::new(), "every output has moved");
}
