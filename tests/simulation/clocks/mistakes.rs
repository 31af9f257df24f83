//! Each check of clock domains, on the smallest module that breaks it; the rendered messages are the test.

use warpmesh::{
    blocks::{CrossingParams, clock_crossing_fifo},
    hdl::{Builder, Module, concat, params},
    netlist::elaborate,
};

/// The message of elaborating `module`, with what stands in a line in place of its number (which moves with every
/// edit).
fn message(module: &Module) -> String {
    let text = elaborate(module).expect_err("the module is wrong on purpose").to_string();
    let line = |line: &str| match line.strip_prefix("    at ").and_then(|place| place.rsplit_once(':')) {
        Some((file, number)) => {
            let code = std::fs::read_to_string(file).expect("a file of this project");
            let index = number.parse::<usize>().expect("a line number") - 1;
            format!("    at {file}: {}", code.lines().nth(index).expect("a line of the file").trim())
        }
        None => line.to_string(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Every output one cycle after its input.
fn delay(width: u32) -> Module {
    let m = Builder::new("delay", params! { width });
    m.output_of("y", m.delayed("before", m.input("a", width)));
    m.finish()
}

#[test]
fn a_register_of_another_domain_is_read() {
    let m = Builder::new("mixed", params! {});
    let fast = m.domain("fast");
    let slow = m.delayed("slow_value", m.input("a", 4));
    m.in_domain(fast, || {
        let sum = m.wire("sum", slow + 1);
        m.output_of("y", m.delayed("fast_value", sum));
        m.count("odd", slow.bit(0));
        m.always("it is small", slow.lt(9));
        m.memory("words", 4, 4).write(slow.bits(0, 2), slow);
    });
    insta::assert_snapshot!(message(&m.finish()));
}

#[test]
fn tiles_of_two_domains_are_connected() {
    let m = Builder::new("tiles", params! {});
    let noc = m.domain("noc");
    let core = m.tile("core", &delay(8));
    let router = m.tile_in(noc, "router", &delay(8));
    core.drive("a", m.input("a", 8));
    router.drive("a", core.get("y") ^ 0x55);
    m.output_of("y", router.get("y"));
    insta::assert_snapshot!(message(&m.finish()));
}

#[test]
fn a_path_leads_through_logic_of_children() {
    let adder = {
        let m = Builder::new("adder", params! {});
        m.output_of("sum", m.input("a", 4) + m.input("b", 4));
        m.finish()
    };
    let pair = {
        let m = Builder::new("pair", params! {});
        let other = m.domain("other");
        let here = m.instance("here", &delay(4));
        let there = m.instance_in(other, "there", &delay(4));
        here.drive("a", m.input("a", 4));
        let adder = m.instance("adder", &adder);
        adder.drive("a", here.get("y"));
        adder.drive("b", m.input("b", 4));
        there.drive("a", adder.get("sum"));
        m.output_of("y", there.get("y"));
        m.finish()
    };
    let m = Builder::new("around", params! {});
    let inner = m.instance("inner", &pair);
    inner.clocked("other", m.domain("slow"));
    inner.drive("a", m.input("a", 4));
    inner.drive("b", m.input("b", 4));
    m.output_of("y", inner.get("y"));
    insta::assert_snapshot!(message(&m.finish()));
}

#[test]
fn ports_of_the_top_belong_to_one_domain() {
    let m = Builder::new("ports", params! {});
    let (a, b) = (m.input("a", 4), m.input("b", 4));
    let here = m.delayed("here", a);
    let there = m.in_domain(m.domain("other"), || m.delayed("there", concat(&[a.bits(0, 2), b.bits(0, 2)])));
    m.output_of("both", here ^ there);
    m.output_of("passed", here ^ b);
    insta::assert_snapshot!(message(&m.finish()));
}

#[test]
fn synchronisers_sample_registers_of_one_domain() {
    let m = Builder::new("synchronisers", params! {});
    let (red, blue) = (m.domain("red"), m.domain("blue"));
    let (a, b) = (m.input("a", 1), m.input("b", 1));
    let first = m.in_domain(red, || m.delayed("first", a));
    let second = m.in_domain(blue, || m.delayed("second", b));
    let glitching = m.synchronise("glitching", !first, 2);
    let torn = m.synchronise("torn", concat(&[first, second]), 2);
    let short = m.synchronise("short", first, 1);
    m.output_of("y", concat(&[glitching, torn, short]));
    insta::assert_snapshot!(message(&m.finish()));
}

#[test]
fn a_synchroniser_inside_wants_a_register_outside() {
    let inner = {
        let m = Builder::new("two_stages", params! {});
        m.output_of("y", m.synchronise("seen", m.input("a", 1), 2));
        m.finish()
    };
    let build = |glitch: bool| {
        let m = Builder::new("outside", params! { glitch });
        let red = m.domain("red");
        let level = m.in_domain(red, || m.delayed("level", m.input("a", 1)));
        let child = m.instance("child", &inner);
        child.drive("a", if glitch { level & m.lit(1, 1) } else { level });
        m.output_of("y", child.get("y"));
        m.finish()
    };
    insta::assert_snapshot!(message(&build(true)));
    elaborate(&build(false)).unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn domains_are_bound_once_and_by_name() {
    let queue = clock_crossing_fifo(CrossingParams::new(4, 8));
    let m = Builder::new("bound", params! {});
    let noc = m.domain("noc");
    m.domain("noc");
    let child = m.tile("queue", &queue);
    for (port, width) in [("push", 1), ("push_data", 8), ("pop", 1)] {
        child.drive(port, m.input(port, width));
    }
    child.clocked("write", noc);
    child.clocked("write", noc);
    child.clocked("reed", noc);
    m.output_of("data", child.get("data"));
    insta::assert_snapshot!(message(&m.finish()));
}

#[test]
fn domains_of_other_blocks_are_noticed() {
    let other = Builder::new("other_block", params! {});
    let foreign = other.domain("foreign");
    let m = Builder::new("guest", params! {});
    m.in_domain(foreign, || m.output_of("y", m.delayed("value", m.input("a", 1))));
    insta::assert_snapshot!(message(&m.finish()));
}

#[test]
fn a_block_with_several_clocks_is_no_rust_hdl_block() {
    warpmesh::embed::rust_hdl_block! {
        /// One clock where two are needed.
        struct MistakesQueue {
            clock clock; reset reset;
            in push: Bit; in push_data: Bits<8>; in pop: Bit;
            out valid: Bit; out data: Bits<8>; out full: Bit;
        }
    }
    use rust_hdl::prelude::*;
    let error = MistakesQueue::new(&clock_crossing_fifo(CrossingParams::new(4, 8))).err().expect("it has two clocks");
    insta::assert_snapshot!(error.to_string());
}
