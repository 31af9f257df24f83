//! Each elaboration check, on the smallest module that breaks it; the rendered message is the test.

use warpmesh::{
    hdl::{Builder, Module, concat, mux, params},
    netlist::elaborate,
    sim::{Engine, Options, Simulator},
};

/// The message of elaborating `module`, without line numbers (they move with every edit of this file).
fn message(module: &Module) -> String {
    let text = elaborate(module).expect_err("the module is wrong on purpose").to_string();
    let mut out = String::new();
    for line in text.lines() {
        let cut = line.rfind(':').filter(|_| line.trim_start().starts_with("at "));
        out.push_str(cut.map_or(line, |at| &line[..at]));
        out.push('\n');
    }
    out
}

fn wrap(child: &Module, connect: bool) -> Module {
    let m = Builder::new("wrapper", params! { child: child.name });
    let inner = m.instance("inner", child);
    if connect {
        inner.drive("a", m.input("a", 4));
    }
    m.output_of("y", inner.get("y"));
    m.finish()
}

#[test]
fn operand_widths_must_agree() {
    let m = Builder::new("bad_width", params! {});
    let (a, b) = (m.input("a", 4), m.input("b", 5));
    m.output_of("y", a + b);
    let text = message(&wrap_two(&m.finish()));
    assert!(text.contains("bad_width_top.inner (bad_width): operands: 4 bits (a) and 5 bits (b)"), "{text}");
    assert_eq!(text.matches("at tests/simulation/elaboration.rs").count(), 3, "{text}");
}

fn wrap_two(child: &Module) -> Module {
    let m = Builder::new("bad_width_top", params! {});
    let inner = m.instance("inner", child);
    inner.drive("a", m.input("a", 4));
    inner.drive("b", m.input("b", 5));
    m.output_of("y", inner.get("y"));
    m.finish()
}

#[test]
fn ports_and_assignments_check_widths() {
    let child = {
        let m = Builder::new("narrow", params! {});
        m.output_of("y", m.input("a", 4));
        m.finish()
    };
    let m = Builder::new("port_width", params! {});
    let inner = m.instance("inner", &child);
    inner.drive("a", m.input("a", 5));
    let y = m.output("y", 3);
    m.assign(y, inner.get("y"));
    let text = message(&m.finish());
    assert!(text.contains("input `a` has 4 bits, the value `a` has 5"), "{text}");
    assert!(text.contains("`y` takes 3 bits, the value has 4"), "{text}");
}

#[test]
fn undriven_nets_are_named() {
    let m = Builder::new("undriven", params! {});
    m.wire_later("floating", 3);
    m.output_of("y", m.input("a", 4));
    let text = message(&wrap(&m.finish(), false));
    assert!(text.contains("input `a` of instance `inner` has no driver"), "{text}");
    assert!(text.contains("wrapper.inner (undriven): `floating` has no driver"), "{text}");
}

#[test]
fn multiple_drivers_are_refused() {
    let m = Builder::new("twice", params! {});
    let a = m.input("a", 4);
    m.assign(a, 3);
    m.output_of("y", a);
    let m2 = Builder::new("twice_top", params! {});
    let inner = m2.instance("inner", &m.finish());
    inner.drive("a", m2.input("a", 4));
    inner.drive("a", m2.lit(4, 1));
    m2.output_of("y", inner.get("y"));
    let text = message(&m2.finish());
    assert!(text.contains("input `a` is driven twice"), "{text}");
    assert!(text.contains("input `a` is driven by its parent and cannot be assigned here"), "{text}");
}

#[test]
fn a_path_without_a_value_is_a_latch() {
    let m = Builder::new("latch", params! {});
    let (a, enable) = (m.input("a", 4), m.input("enable", 1));
    let y = m.output("y", 4);
    m.when(enable, || m.assign(y, a));
    let text = message(&m.finish());
    assert!(text.contains("`y` is not assigned on every path: this would be a latch"), "{text}");
}

#[test]
fn loops_are_printed_by_name() {
    let pass = {
        let m = Builder::new("pass", params! {});
        m.output_of("y", m.input("a", 4) + 1);
        m.finish()
    };
    let m = Builder::new("looped", params! {});
    let back = m.wire_later("back", 4);
    let through = m.instance("through", &pass);
    through.drive("a", mux(m.input("sel", 1), back, m.lit(4, 0)));
    m.assign(back, through.get("y"));
    m.output_of("y", back);
    let text = message(&m.finish());
    assert!(text.contains("combinational loop: back -> through_y -> back"), "{text}");
}

#[test]
fn tile_outputs_must_be_registers() {
    let tile = {
        let m = Builder::new("tile", params! {});
        let a = m.input("a", 4);
        let r = m.delayed("r", a);
        m.output_of("good", concat(&[r.bits(0, 2), r.bits(2, 2)]));
        m.output_of("bad", r + 1);
        m.finish()
    };
    let m = Builder::new("tiled", params! {});
    let t = m.tile("t", &tile);
    t.drive("a", m.input("a", 4));
    m.output_of("y", t.get("good") ^ t.get("bad"));
    let text = message(&m.finish());
    assert!(text.contains("output `bad` of tile `t` is not a register"), "{text}");
    assert!(!text.contains("good"), "{text}");
}

#[test]
fn equal_parameters_give_the_shared_module() {
    let build = |n: u32| {
        let m = Builder::new("shared", params! { n });
        m.output_of("y", !m.input("a", n));
        m.finish()
    };
    let (four, again, five) = (build(4), build(4), build(5));
    assert!(four.same(&again));
    assert!(!four.same(&five));
    assert_eq!(five.name, "shared_n5");
}

#[test]
fn one_name_for_two_blocks_is_a_mistake() {
    let build = |invert: bool| {
        let m = Builder::new("ambiguous", params! {});
        let a = m.input("a", 4);
        m.output_of("y", if invert { !a } else { a });
        m.finish()
    };
    let (straight, inverted) = (build(false), build(true));
    let m = Builder::new("ambiguous_top", params! {});
    let a = m.input("a", 4);
    for (name, module) in [("straight", &straight), ("inverted", &inverted)] {
        let child = m.instance(name, module);
        child.drive("a", a);
        m.output_of(format!("{name}_y"), child.get("y"));
    }
    let text = message(&m.finish());
    assert!(text.contains("ambiguous_top.inverted"), "{text}");
    assert!(text.contains("two different modules are called `ambiguous`"), "{text}");
    // In designs of their own each is right.
    for module in [straight, inverted] {
        elaborate(&module).expect("correct");
    }
}

#[test]
fn otherwise_belongs_to_its_own_when() {
    let m = Builder::new("late_otherwise", params! {});
    let (a, b) = (m.input("a", 1), m.input("b", 1));
    let (x, y) = (m.output("x", 2), m.output("y", 1));
    m.assign(x, 0);
    m.assign(y, 0);
    let when_a = m.when(a, || m.assign(x, 1));
    m.when(b, || m.assign(y, 1));
    when_a.otherwise(|| m.assign(x, 2));
    let design = elaborate(&m.finish()).expect("correct");
    for options in [Options::default(), Options { engine: Engine::Interpreter, ..Options::default() }] {
        let mut sim = Simulator::new(&design, &options).expect("simulates");
        for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            sim.poke("a", a);
            sim.poke("b", b);
            assert_eq!((sim.peek("x"), sim.peek("y")), (2 - a, b), "a = {a}, b = {b}");
        }
    }
}

#[test]
fn a_default_ends_its_switch() {
    let m = Builder::new("early_default", params! {});
    let (a, y) = (m.input("a", 2), m.output("y", 2));
    m.switch(a, |case| {
        case.is(0, || m.assign(y, 1));
        case.default(|| m.assign(y, 0));
        case.is(1, || m.assign(y, 2));
        case.default(|| m.assign(y, 3));
    });
    let text = message(&m.finish());
    assert!(text.contains("case 1 stands after the default of its switch"), "{text}");
    assert!(text.contains("a switch has two defaults"), "{text}");
}

#[test]
fn signals_of_other_modules_are_noticed_in_switches_and_probes() {
    let other = Builder::new("other", params! {});
    let mut foreign = other.input("a", 4);
    for _ in 0..20 {
        foreign = !foreign + 1;
    }
    let switching = Builder::new("switching", params! {});
    let y = switching.output("y", 1);
    switching.switch(foreign, |case| {
        case.is(3, || switching.assign(y, 1));
        case.default(|| switching.assign(y, 0));
    });
    let probing = Builder::new("probing", params! {});
    probing.histogram("values", probing.input("a", 1), foreign);
    for m in [switching, probing] {
        let text = message(&m.finish());
        assert!(text.contains("a signal of another module is used here"), "{text}");
    }
}

#[test]
fn a_correct_hierarchy_elaborates_with_counts() {
    let leaf = {
        let m = Builder::new("leaf", params! {});
        m.output_of("y", m.delayed("r", m.input("a", 4)));
        m.finish()
    };
    let m = Builder::new("pair", params! {});
    let mut value = m.input("a", 4);
    for i in 0..3 {
        let child = m.instance(format!("leaf{i}"), &leaf);
        child.drive("a", value);
        value = child.get("y");
    }
    m.output_of("y", value);
    let design = elaborate(&m.finish()).expect("correct");
    assert_eq!(design.about(&leaf).instances, 3);
    assert_eq!(design.modules.len(), 2);
    assert!(design.modules[1].dependencies.through[0].is_empty());
}
