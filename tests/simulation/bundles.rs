//! Bundles: ports, connections, words and registers from one declaration; mistakes at their places.

use warpmesh::{
    hdl::{Bits, Builder, Bundle, Module, bundle, params},
    netlist::elaborate,
    sim::{Options, Simulator},
};

bundle! {
    /// A request with a tag of some bits.
    struct BundlesRequest(tag_bits: &u32) {
        /// There is one.
        valid: 1,
        tag: *tag_bits,
        /// Of long tags.
        maybe parity: u32::from(*tag_bits > 4),
        data: 8,
    }
}

/// Requests one cycle later, the data incremented.
fn stage(tag_bits: u32) -> Module {
    let m = Builder::new("stage", params! { tag_bits });
    let request = BundlesRequest::inputs(&m, "in", &tag_bits);
    let now = BundlesRequest::registers(&m, "now", &tag_bits);
    now.set(request);
    BundlesRequest { data: now.data + 1, ..now }.outputs(&m, ("out", "request"), &tag_bits);
    m.finish()
}

fn two_stages(tag_bits: u32) -> Module {
    let m = Builder::new("two_stages", params! { tag_bits });
    let [first, second] = ["first", "second"].map(|name| m.instance(name, &stage(tag_bits)));
    BundlesRequest::inputs(&m, "", &tag_bits).drive(first, "in", &tag_bits);
    BundlesRequest::connect(&tag_bits, (first, "out_request"), (second, "in"));
    let out = BundlesRequest::of(second, ("out", "request"), &tag_bits);
    m.output_of("word", out.pack());
    BundlesRequest::unpack(out.pack(), &tag_bits).outputs(&m, "again", &tag_bits);
    m.finish()
}

#[test]
fn a_bundle_is_ports_registers_and_a_word() {
    for tag_bits in [3, 6] {
        let design = elaborate(&two_stages(tag_bits)).unwrap_or_else(|e| panic!("{e}"));
        let names: Vec<_> = design.top.inputs.iter().map(|&port| design.top.net(port).name.as_str()).collect();
        let expected: &[&str] =
            if tag_bits > 4 { &["valid", "tag", "parity", "data"] } else { &["valid", "tag", "data"] };
        assert_eq!(names, expected);
        let mut sim = Simulator::new(&design, &Options::default()).unwrap_or_else(|e| panic!("{e}"));
        sim.reset(1);
        for (port, value) in [("valid", 1), ("tag", 5), ("data", 100)] {
            sim.poke(port, value);
        }
        if tag_bits > 4 {
            sim.poke("parity", 1);
        }
        sim.step().and_then(|()| sim.step()).unwrap_or_else(|e| panic!("{e}"));
        let word = if tag_bits > 4 { (1 << 6 | 5) << 9 | 1 << 8 | 102 } else { (1 << 3 | 5) << 8 | 102 };
        assert_eq!(sim.peek_bits("word"), Bits::new(1 + tag_bits + u32::from(tag_bits > 4) + 8, word));
        assert_eq!((sim.peek("again_tag"), sim.peek("again_data")), (5, 102));
    }
}

fn mistakes(m: &Builder) -> String {
    elaborate(&m.finish()).expect_err("wrong on purpose").to_string()
}

#[test]
fn fields_that_differ_are_named_with_both_places() {
    let m = Builder::new("around", params! {});
    let child = m.instance("stage", &stage(6));
    BundlesRequest::inputs(&m, "in", &3).drive(child, "in", &3);
    let text = mistakes(&m);
    assert!(
        text.contains(
            "`in` of `stage_tag_bits6` is a `BundlesRequest`: `tag` has 6 bits there, 3 here, its `parity` is none of `BundlesRequest`"
        ),
        "{text}"
    );
    assert!(text.matches("tests/simulation/bundles.rs:").count() >= 2, "{text}");
}

#[test]
fn a_value_of_the_wrong_width_is_an_error() {
    let m = Builder::new("around", params! {});
    let request = BundlesRequest::inputs(&m, "in", &3);
    BundlesRequest { data: request.tag, ..request }.outputs(&m, "out", &3);
    let text = mistakes(&m);
    assert!(text.contains("field `data` of `BundlesRequest` has 8 bits, the value 3"), "{text}");
}

#[test]
fn a_word_of_the_wrong_width_is_an_error() {
    let m = Builder::new("around", params! {});
    BundlesRequest::unpack(m.input("word", 11), &3).outputs(&m, "out", &3);
    let text = mistakes(&m);
    assert!(text.contains("a `BundlesRequest` has 12 bits, the word 11"), "{text}");
}
