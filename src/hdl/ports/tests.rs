use super::*;
use crate::{Module, bundle, params, ports};

bundle! {
    /// A word that may be wide.
    struct Item(wide: &bool) {
        valid: 1,
        data: 4,
        maybe more: u32::from(*wide) * 8,
    }
}

/// Of a [`stage`].
struct StageParams {
    wide: bool,
    lanes: usize,
    counts: bool,
}

ports! {
    /// Ports of a [`stage`].
    struct StagePorts(p: &StageParams) of Stage {
        /// What comes.
        in item: bundle Item(&p.wide) with taken: 1,
        /// Holds a lane.
        in hold[lane: usize in 0..p.lanes] as ("lane", lane, "hold"): 1,
        /// Counts from here.
        maybe (p.counts) in from: 3,
        /// What goes.
        out next: bundle Item(&p.wide) with taken: 1,
        /// A lane is held.
        out held[lane: usize in 0..p.lanes]: 1,
        /// Items so far.
        maybe (p.counts) out count: 3,
    }
}

fn stage(p: &StageParams) -> Module {
    let m = Builder::new("stage", params! { wide: p.wide, lanes: p.lanes, counts: p.counts });
    let io = StagePorts::new(&m, p);
    let (item, answer) = io.item().signals();
    (0..p.lanes).for_each(|lane| _ = io.held(lane, io.hold(lane)));
    if let Some(from) = io.from() {
        let count = io.count(LATER);
        m.assign(count, from + 1);
    }
    io.next().shows(item);
    answer.shows(io.next().answer());
    m.finish()
}

fn problems(module: &Module) -> Vec<&str> {
    module.problems.iter().map(|problem| problem.message.as_str()).collect()
}

fn names<'a>(module: &'a Module, ports: &'a [crate::NetId]) -> Vec<&'a str> {
    ports.iter().map(|&port| module.net(port).name.as_str()).collect()
}

#[test]
fn ports_are_those_of_the_declaration_in_the_order_of_the_block() {
    let small = stage(&StageParams { wide: false, lanes: 0, counts: false });
    assert_eq!(problems(&small), [""; 0]);
    assert_eq!(names(&small, &small.inputs), ["item_valid", "item_data", "next_taken"]);
    assert_eq!(names(&small, &small.outputs), ["next_valid", "next_data", "item_taken"]);
    let large = stage(&StageParams { wide: true, lanes: 2, counts: true });
    assert_eq!(problems(&large), [""; 0]);
    let inputs = ["item_valid", "item_data", "item_more", "lane0_hold", "lane1_hold", "from", "next_taken"];
    assert_eq!(names(&large, &large.inputs), inputs);
    let outputs = ["held0", "held1", "count", "next_valid", "next_data", "next_more", "item_taken"];
    assert_eq!(names(&large, &large.outputs), outputs);
}

#[test]
fn stages_are_connected_by_their_handshakes() {
    let p = StageParams { wide: true, lanes: 1, counts: true };
    let m = Builder::new("row", params! {});
    let [first, second] = ["first", "second"].map(|name| Stage(m.instance(name, &stage(&p))));
    first.item().drive(Item::inputs(&m, "item", &p.wide));
    first.next().connect(second.item());
    second.next().answer(m.input("taken", 1));
    second.next().signals().outputs(&m, "next", &p.wide);
    m.output_of("taken_first", first.item().answer());
    for (n, stage) in [first, second].into_iter().enumerate() {
        stage.hold(0, 0);
        stage.from(m.lit(3, n as u64));
        m.output_of(("count", n), stage.count().expect("it counts"));
    }
    let module = m.finish();
    assert_eq!(problems(&module), [""; 0]);
    assert!(module.instances.iter().all(|child| child.inputs.iter().all(Option::is_some)));
}

#[test]
fn what_is_not_as_declared_is_a_mistake() {
    let p = StageParams { wide: false, lanes: 1, counts: false };
    let m = Builder::new("stage", params! {});
    let io = StagePorts::new(&m, &p);
    io.count(0);
    io.held(3, 0);
    io.next().shows(io.item().inputs());
    io.held(0, m.lit(2, 0));
    let module = m.finish();
    let expected = [
        "port `count` does not exist with these parameters: its `maybe` or its row leaves it out",
        "port `held3` does not exist with these parameters: its `maybe` or its row leaves it out",
        "`held0` takes 1 bits, the value has 2",
        "output `item_taken` is declared, and the block does not make it",
        "input `lane0_hold` is declared, and the block does not make it",
        "input `next_taken` is declared, and the block does not make it",
        "`held0` has no driver",
    ];
    assert_eq!(problems(&module), expected);
}

#[test]
fn a_child_without_such_ports_is_a_mistake() {
    let p = StageParams { wide: false, lanes: 0, counts: false };
    let m = Builder::new("around", params! {});
    let other = Builder::new("other", params! {});
    other.output_of("next_valid", other.input("item_valid", 1));
    let child = Stage(m.instance("stage", &other.finish()));
    let shown = child.next().signals();
    child.from(m.lit(3, 0));
    Stage(m.instance("next", &stage(&p))).item().drive(Item { valid: shown.valid, data: m.lit(4, 0), more: None });
    let module = m.finish();
    let expected =
        ["`other` has no outputs `next` that are a `Item`", "`other` has no input `from`; it has item_valid"];
    assert_eq!(problems(&module), expected);
}

bundle! {
    /// Whether an item goes on.
    struct Gate(_p: &()) {
        open: 1,
    }
}

ports! {
    /// Ports of a [`gate`].
    struct GatePorts(gated: &bool) of GateStage {
        /// What comes.
        in item as "": bundle Item(&false),
        /// Whether it goes on.
        maybe (*gated) in gate as "": bundle Gate(&()),
        /// What goes.
        out next: bundle Item(&false),
    }
}

fn gate(gated: bool) -> Module {
    let m = Builder::new("gate", params! { gated });
    let io = GatePorts::new(&m, &gated);
    let (gate, item) = (io.gate(), io.item());
    io.next(Item { valid: gate.map_or(item.valid, |gate| item.valid & gate.open), ..item });
    m.finish()
}

#[test]
fn several_bundles_may_share_the_empty_name() {
    let [plain, gated] = [false, true].map(gate);
    assert_eq!(problems(&plain), [""; 0]);
    assert_eq!(names(&plain, &plain.inputs), ["valid", "data"]);
    assert_eq!(problems(&gated), [""; 0]);
    assert_eq!(names(&gated, &gated.inputs), ["open", "valid", "data"]);
}

#[test]
fn a_child_passes_on_what_the_block_does_not_have() {
    let p = StageParams { wide: false, lanes: 1, counts: false };
    let m = Builder::new("around", params! {});
    let inner = Stage(m.instance("stage", &stage(&p)));
    inner.hold(0, !m.input(("lane", 0usize, "hold"), 1));
    inner.0.pass_on();
    let around = m.finish();
    assert_eq!(problems(&around), [""; 0]);
    assert_eq!(names(&around, &around.inputs), ["lane0_hold", "item_valid", "item_data", "next_taken"]);
    assert_eq!(names(&around, &around.outputs), ["held0", "next_valid", "next_data", "item_taken"]);
    let m = Builder::new("two", params! {});
    let [first, second] = ["first", "second"].map(|name| Stage(m.instance(name, &around)));
    first.item().drive(Item::inputs(&m, "item", &p.wide));
    first.next().connect(second.item());
    second.next().answer(1);
    [first, second].iter().for_each(|stage| stage.hold(0, 0));
    m.output_of("data", second.next().signals().data);
    assert_eq!(problems(&m.finish()), [""; 0]);
}

ports! {
    /// Ports of a [`chooser`].
    struct ChooserPorts(_p: &()) of Chooser {
        /// It comes first.
        in first: bundle Gate(&()),
        /// What comes otherwise.
        in item: bundle Item(&false) with granted: 1,
        /// What goes.
        out next: bundle Item(&false) with granted: 1,
    }
}

fn chooser() -> Module {
    let m = Builder::new("chooser", params! {});
    let io = ChooserPorts::new(&m, &());
    let first = io.first();
    let (item, granted) = io.item().signals();
    io.next().shows(item);
    granted.shows(io.next().answer() & !first.open);
    m.finish()
}

#[test]
fn a_grant_goes_back_to_what_is_shown() {
    let m = Builder::new("row", params! {});
    let [first, second] = ["first", "second"].map(|name| Chooser(m.instance(name, &chooser())));
    first.item().drive(Item::inputs(&m, "item", &false));
    first.next().connect(second.item());
    second.next().answer(m.input("granted", 1));
    [first, second].iter().for_each(|chooser| chooser.first(Gate { open: m.lit(1, 0) }));
    m.output_of("item_granted", first.item().answer());
    second.next().signals().outputs(&m, "next", &false);
    assert_eq!(problems(&m.finish()), [""; 0]);
    let chooser = chooser();
    assert_eq!(names(&chooser, &chooser.inputs), ["first_open", "item_valid", "item_data", "next_granted"]);
}

#[test]
fn a_block_passes_handshakes_of_a_child_on() {
    let m = Builder::new("around", params! {});
    let io = ChooserPorts::new(&m, &());
    let inner = Chooser(m.instance("chooser", &chooser()));
    inner.first(io.first());
    io.item().connect(inner.item());
    io.next().connect(inner.next());
    let (around, chooser) = (m.finish(), chooser());
    assert_eq!(problems(&around), [""; 0]);
    assert_eq!(names(&around, &around.inputs), names(&chooser, &chooser.inputs));
    assert_eq!(names(&around, &around.outputs), ["item_granted", "next_valid", "next_data"]);
}

#[test]
fn what_is_said_of_a_port_is_shown_without_links() {
    let shown = [
        (" Threads that execute.", "Threads that execute."),
        (" [`Hazards`](super::Hazards) as a word.", "`Hazards` as a word."),
        (" See [`mod@crate::core::locality`], or [its page](page).", "See `locality`, or its page."),
        (" One [ that is open", "One [ that is open"),
    ];
    for (about, text) in shown {
        assert_eq!(crate::plain_text(about), text);
    }
}
