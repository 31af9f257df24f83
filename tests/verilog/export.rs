//! Exported Verilog: its text (snapshots), its cleanness (three tools), its meaning (lockstep).

use crate::matrix::options;
use warpmesh::{
    hdl::{Bits, Builder, Bundle, Module, Signal, Values, bundle, concat, mux, params, select, values},
    netlist::elaborate,
    verilog::{
        ExportError, ExportOptions, export, export_all, lint,
        lockstep::{
            Agreement, Difference, LockstepError, LockstepRow, ModelOptions, RandomStimulus, Recording, RunLength,
            VerilatedModel, lockstep, lockstep_icarus, record, replay_on_icarus,
        },
        macros_csv, write_export,
    },
};

/// Every file of the export of `top`, one after the other.
fn text(top: &Module) -> String {
    let design = elaborate(top).expect("a correct design");
    let options = ExportOptions { command: "cargo test".into(), ..ExportOptions::default() };
    export(&design, &options).into_iter().map(|f| f.text).collect::<Vec<_>>().join("\n")
}

fn assert_clean(top: &Module) {
    let design = elaborate(top).unwrap_or_else(|e| panic!("{e}"));
    let diagnostics = lint(&design).unwrap_or_else(|e| panic!("{e}"));
    let all: Vec<_> = diagnostics.iter().map(ToString::to_string).collect();
    assert!(all.is_empty(), "{}\n{}", all.join("\n"), text(top));
}

bundle! {
    /// A word of fields; names of them are taken, and reserved in Verilog.
    struct ExportWord(width: &u32) {
        opcode: 3,
        global: 1,
        inner: *width + 5,
        left: 4,
    }
}

bundle! {
    /// Fields within a field.
    struct ExportInner(width: &u32) {
        release: 1,
        data: *width,
        code: 4,
    }
}

values! {
    /// Of a machine.
    mod export_state = "STATE" {
        IDLE = 0,
        RUNS = 1,
        WAITS = 2,
    }
}

/// Bundles in one word, and values with names. Words: an input, a register, a wire, a field within a field, fields that are read in part or not at all.
fn words(width: u32) -> Module {
    let m = Builder::new("words", params! { width });
    let all = ExportWord::width(&width);
    let (word, release, begin) = (m.input("word", all), m.input("release", 1), m.input("begin_", 1));
    let taken = m.register("word_opcode", 3, 0);
    m.when(release, || m.set(taken, taken + 1));
    let (arrived, kept) = (ExportWord::unpack(word, &width), m.register_payload("kept", all));
    m.when(begin & arrived.global, || m.set(kept, word));
    let now = ExportWord::unpack(kept, &width);
    let inner = ExportInner::unpack(now.inner, &width);
    let half = inner.data.bits(0, width.div_ceil(2));
    m.output_of("end", concat(&[half, inner.code.bit(2), inner.release, kept.bits(2, 4)]));
    let swapped = m.wire("swapped", word ^ kept);
    let swapped = ExportInner::unpack(swapped.bits(4, width + 5), &width);
    m.output_of("begin", concat(&[swapped.data + inner.data, arrived.opcode ^ taken, now.left]));

    // Values with names: of a register, of a field; one of them is taken, some values have none.
    let state = m.register("state", 2, 1);
    m.name_values(state, export_state::VALUES);
    let opcodes = &[("ADD", 0), ("SUB", 1), ("LOAD", 2), ("STORE", 3)];
    m.name_values(arrived.opcode, Values { kind: "OPCODE", names: opcodes });
    m.output_of("STATE_WAITS", state.eq(2) | arrived.opcode.eq(2) & state.ne(3));
    m.output_of("is_store", arrived.opcode.eq(3) | arrived.opcode.eq(7));
    m.switch(state, |case| {
        case.is(0, || m.set(state, mux(release, 1, mux(begin, m.lit(2, 0), m.lit(2, 2)))));
        case.is(1, || {
            m.when(arrived.opcode.ne(1), || m.set(state, 2));
        });
        case.is(3, || m.set(state, arrived.opcode.bits(0, 2)));
        case.default(|| m.set(state, 3));
    });
    m.name_values(kept.bits(0, 4), Values { kind: "LEFT", names: &[("NONE", 0), ("SOME", 1)] });
    m.always("what assertions alone compare with is declared for them", now.left.ne(1) | now.left.eq(1));
    let next = m.output("next", 2);
    m.name_values(next, export_state::VALUES);
    m.assign(next, mux(state.is_zero(), 1, state));
    m.finish()
}

/// Choices by all bits of an index, which are tables: of constants and of words, called after a port, a wire or nothing, read in part, by
/// registers, children, memories and assertions; by an index whose values have names; and one row too few.
fn tables(width: u32) -> Module {
    let child = {
        let m = Builder::new("inverted", params! { width });
        m.output_of("inverse", !m.input("value", width));
        m.finish()
    };
    let m = Builder::new("tables", params! { width });
    let (index, data) = (m.input("index", 6), m.input("data", width));
    let number = |value: u64| m.lit(width, value & (u64::MAX >> (64 - width.min(64))));
    let rows = |count: u64, factor: u64| -> Vec<_> { (0..count).map(|at| number(at * factor)).collect() };
    m.output_of("of_constants", select(index, &rows(64, 0x9e37)));
    let state = m.register("state", 3, 0);
    m.name_values(state, Values { kind: "PHASE", names: &[("IDLE", 0), ("LAST", 7)] });
    m.set(state, select(index.bits(2, 3), &(0..8_u64).map(|at| state + at * at % 8).collect::<Vec<_>>()));
    let words: Vec<_> = (0..8_u64).map(|at| if at % 3 == 0 { data } else { data ^ number(at) }).collect();
    let chosen = m.wire("chosen", select(state, &words));
    m.output_of("part", select(index.bits(1, 4), &rows(16, 3)).bits(0, width.div_ceil(2)));
    let inverted = m.instance("inverted", &child);
    inverted.drive("value", select(index.bits(0, 3), &words));
    m.output_of("from_child", mux(index.bit(5), inverted.get("inverse"), select(index.bits(0, 3), &words)));
    let memory = m.memory("kept", 8, width);
    memory.write(select(index.bits(3, 3), &(0..8).map(|at| m.lit(3, 7 - at)).collect::<Vec<_>>()), chosen);
    let read: Vec<_> = (0..8_u64).map(|at| memory.read(m.lit(3, at ^ 5))).collect();
    m.output_of("read", m.delayed("read_before", select(index.bits(0, 3), &read)));
    // Of a vector, by an index whose low bits are constant.
    let even = concat(&[index.bits(0, 2), m.lit(6, 4)]);
    m.output_of("at_a_constant_place", concat(&[m.lit(2, 0), data.bits(0, 1), m.lit(4, 9)]).bits_at(even, 1));
    // By an index that stands still.
    let still = m.lit(3, 3) + m.lit(3, 2);
    m.output_of("still", select(still, &words));
    m.output_of("a_row_too_few", select(index.bits(0, 3), &words[..7]));
    let claimed = m.wire("claimed", select(index.bits(0, 3), &rows(8, 1)));
    m.always("a table of assertions", claimed.eq(data) | claimed.ne(data));
    m.output_of("chosen_out", chosen);
    m.finish()
}

/// Every operator and statement at one data width.
fn everything(width: u32) -> Module {
    let m = Builder::new("everything", params! { width });
    m.doc("Every operator and every statement.\nNot a useful block.");
    let (a, b, c) = (m.input("a", width), m.input("b", width), m.input("c", width));
    let (small, wide) = (m.input("small", 3), m.input("wide", 70));
    let index = m.input("index", warpmesh::hdl::index_width(width as usize + 3));
    let (p, q) = (m.input("p", 1), m.input("q", 1));
    let out = |name: &str, value: Signal<'_>| m.output_of(name, value);

    out("not_a", !a);
    out("sum", a + b);
    out("difference", a - b);
    out("product", a * b);
    out("bitwise", (a & b) | (c ^ !b));
    out("reductions", concat(&[a.any(), b.all(), c.parity(), a.is_zero()]));
    out("compared", concat(&[a.eq(b), a.ne(c), a.lt(b), a.ge(b), a.gt(c), a.le(c), a.lt_signed(b), !a.lt_signed(c)]));
    out("compared_to_limits", concat(&[a.lt(0), Bits::ones(width).signal(&m).lt(b), a.ge(0)]));
    out("left", a << index);
    out("right", a >> index);
    out("right_signed", a.shr_signed(index) ^ (b.shr_signed(small) + c));
    out("shifted_far", concat(&[a << wide, b >> wide, c.shr_signed(wide)]));
    out("shifted_constant", concat(&[a << 1, b >> 1, c << u64::from(width), c.shr_signed(m.lit(8, 200))]));
    out("chosen", mux(p, a, mux(q, b + 1, c)));
    out("joined", concat(&[a, small, p.repeat(5), small.repeat(2), b.sign_extend(width + 9), c.extend(width + 2)]));
    out("top_of_sum", (a.extend(width + 1) + b.extend(width + 1)).sign());
    out("bit_at", a.at(index));
    out("bits_at", concat(&[(a ^ b).bits_at(index, 5), wide.bits_at(small, 9), a.bits_at(wide, width)]));
    out("bits_at_constant", concat(&[a.bits_at(m.lit(9, 0), width), b.bits_at(m.lit(70, 2), 3), a.at(m.lit(64, 7))]));
    out("part_at", concat(&[wide.part_at(small, 7), concat(&[a, b, c]).part_at(small, width)]));
    out("slice_of_join", concat(&[a, b, c]).bits(width / 2, width + 1));
    let shared = m.wire("shared", (a * b + c) ^ (a & c));
    out("shared_twice", shared + ((a * b + c) ^ (a & c)) + (a * b));

    // Statements: nested conditions, cases, parts, later assignment wins.
    let nested = m.output("nested", width);
    m.comment("The default comes first.");
    m.assign(nested, c);
    m.when(p, || {
        m.when(q, || m.assign(nested, a)).otherwise(|| {
            m.comment("Only the lowest bit.");
            m.assign(nested.bit(0), p & q);
        });
    })
    .otherwise(|| {
        m.switch(small, |case| {
            case.is(0, || m.assign(nested, a ^ b));
            case.is(3, || {});
            case.is(5, || m.when(q, || m.assign(nested.bit(width - 1), a.any())).otherwise(|| m.assign(nested, b)));
            case.default(|| m.assign(nested, a - c));
        });
    });
    let constant = m.output("constant", 4);
    m.assign(constant, 9);
    m.when(m.lit(1, 1), || m.assign(constant.bits(1, 2), 3));

    // Registers.
    let count = m.register("count", width.max(2), 1);
    m.when(p, || m.set(count, count + 1));
    m.when(q & p, || m.set(count.bits(0, 2), small.bits(0, 2)));
    let held = m.register_payload("held", width);
    m.when(q, || m.set(held, a)).otherwise(|| {
        m.switch(small, |case| {
            case.is(1, || m.set(held, b));
            case.is(2, || m.set(held.bit(0), p));
        });
    });
    m.register("never_changed", 3, 5);
    out("registers", concat(&[count, held, m.delayed("late", shared)]));

    // Memories: full words, masked words, several ports, depths that are no power of two.
    let plain = m.memory("plain", 8, width);
    m.when(p, || plain.write(small, a));
    m.when(q, || plain.write(a.resize(3), b));
    out("plain_word", concat(&[plain.read(small), plain.read(a.resize(3)), plain.read(wide)]));
    let odd = m.memory("odd", 5, width * 4);
    m.when(p ^ q, || odd.write_masked(small, concat(&[a, b, c, a ^ b]), concat(&[a.bit(0), p, b.bit(0), q])));
    out("odd_word", odd.read(small) ^ odd.read(b.resize(9)));
    out("odd_sync", odd.read_sync("odd_read", c.resize(3), q));
    let single = m.memory("single", 1, width);
    m.when(q, || single.write(p, c));
    out("single_word", single.read(!p));
    m.count("p_cycles", p);
    let watched = m.delayed("watched_only", a ^ c);
    m.always("nothing \"special\" in 100% of cases", !(watched.eq(a) & m.lit(1, 0)));
    m.finish()
}

#[test]
fn every_operator_is_clean() {
    for width in [1, 8, 33, 64, 65, 512] {
        assert_clean(&everything(width));
        assert_clean(&words(width));
        assert_clean(&tables(width));
    }
}

#[test]
fn choices_by_all_bits_of_an_index_are_tables() {
    insta::assert_snapshot!(text(&tables(8)));
}

/// A large memory, as a module of its own; an odd depth and a mask.
fn with_srams() -> Module {
    let m = Builder::new("with_srams", params! {});
    let (address, data, mask, write) =
        (m.input("address", 10), m.input("data", 32), m.input("mask", 4), m.input("write", 1));
    let buffer = m.memory("buffer", 1000, 32);
    m.when(write, || buffer.write_masked(address, data, mask));
    m.output_of("read", m.delayed("buffer_output", buffer.read(address)));
    let table = m.memory("table", 1024, 32);
    m.when(write & data.bit(0), || table.write(address, data));
    m.output_of("table_read", table.read(address) ^ table.read(data.bits(0, 10)));
    m.finish()
}

/// Memories of 2 Kbit that are read into registers: at two addresses, under conditions, by masks; and where that is not all
/// that reads a word: logic, a second register, a register with another value or with a reset, an assertion.
fn read_into_registers() -> Module {
    let m = Builder::new("read_into_registers", params! {});
    let (write, read, more) = (m.input("write", 1), m.input("read", 1), m.input("more", 1));
    let (at, from, data, mask) = (m.input("at", 6), m.input("from", 6), m.input("data", 32), m.input("mask", 4));
    let memory = |name: &str| {
        let words = m.memory(name, 64, 32);
        m.when(write, || words.write(at, data));
        words
    };
    let twice = memory("twice");
    m.output_of("twice_first", twice.read_sync("twice_first_read", from, read));
    m.output_of("twice_second", twice.read_sync("twice_second_read", at, more));
    let masked = m.memory("masked", 64, 32);
    m.when(write, || masked.write_masked(at, data, mask));
    let under = m.register_payload("under", 32);
    let take = || m.set(under, masked.read(from));
    m.when(read, || m.when(more, take).otherwise(take));
    m.output_of("masked_word", under);
    let always = m.register_payload("always_read", 32);
    m.set(always, memory("always").read(from));
    m.output_of("always_word", always);
    let logic = memory("logic_too");
    m.output_of("logic_word", logic.read_sync("logic_read", from, read) ^ logic.read(from));
    let two = memory("two_registers");
    m.output_of("two_words", two.read_sync("one", from, read) ^ two.read_sync("other", from, more));
    let other = m.register_payload("word_or_data", 32);
    m.when(read, || m.set(other, memory("other_value").read(from)));
    m.when(more, || m.set(other, data));
    m.output_of("other_word", other);
    let reset = m.register("reset_word", 32, 5);
    m.when(read, || m.set(reset, memory("with_reset").read(from)));
    m.output_of("reset_out", reset);
    let asserted = m.memory("asserted", 64, 32);
    m.when(write, || asserted.write(at, concat(&[data.bits(1, 31), m.lit(1, 1)])));
    m.output_of("asserted_out", asserted.read_sync("asserted_word", from, read));
    m.always("what is written is odd", asserted.read(from).bit(0) | asserted.read(from).is_zero());
    m.finish()
}

/// Memories as modules of their own whose words are read as they are: a net of the author names the word. One has the
/// name of the array in its module, as have two children of what they declare. Assertions read words that nothing else
/// reads.
fn words_with_names() -> Module {
    let flip = {
        let m = Builder::new("flip", params! {});
        m.output_of("flipped", !m.input("value", 32));
        m.finish()
    };
    let m = Builder::new("words_with_names", params! {});
    let (address, data, write) = (m.input("address", 10), m.input("data", 32), m.input("write", 1));
    let words = m.memory("words", 1024, 32);
    m.when(write, || words.write(address, data));
    m.output_of("word", words.read(address));
    let other = m.wire("other_word", words.read(data.bits(0, 10)));
    let (flipped, value) = (m.instance("flipped", &flip), m.instance("value", &flip));
    flipped.drive("value", other);
    value.drive("value", flipped.get("flipped"));
    m.output_of("other", value.get("flipped"));
    let asserted = m.memory("asserted", 1024, 32);
    m.when(write, || asserted.write(address, concat(&[data.bits(1, 31), m.lit(1, 1)])));
    m.output_of("asserted_word", asserted.read(address));
    let next = m.wire("next_word", asserted.read(address + 1));
    m.always("what is written is odd", next.bit(0) | next.is_zero());
    m.finish()
}

/// Children: shared, without state, with unread outputs, inside one another.
fn hierarchy() -> Module {
    let adder = {
        let m = Builder::new("adder", params! { width: 4 });
        m.doc("Adds.");
        let (a, b) = (m.input("a", 4), m.input("b", 4));
        let sum = m.wire("all", a.extend(5) + b.extend(5));
        m.output_of("sum", sum.bits(0, 4));
        m.output_of("carry", sum.bit(4));
        m.finish()
    };
    let accumulator = {
        let m = Builder::new("accumulator", params! { width: 4 });
        m.doc("Adds up what it is given.");
        let total = m.register("total", 4, 0);
        let add = m.instance("add", &adder);
        add.drive("a", total);
        add.drive("b", m.input("value", 4));
        let enable = m.input("enable", 1);
        m.comment("Carries are dropped.");
        m.when(enable, || m.set(total, add.get("sum")));
        m.output_of("total_out", total);
        m.output_of("overflow", add.get("carry"));
        let watch = m.delayed("overflowed", add.get("carry") & enable);
        m.always("the total is at most 14 after an overflow", !(watch & total.all()));
        m.finish()
    };
    let m = Builder::new("two_accumulators", params! {});
    let (a, b, enable) = (m.input("a", 4), m.input("b", 4), m.input("enable", 1));
    let (left, right) = (m.instance("left", &accumulator), m.instance("right", &accumulator));
    left.drive("value", a ^ b);
    left.drive("enable", enable);
    right.drive("value", b);
    right.drive("enable", !enable);
    m.output_of("difference", left.get("total_out") - right.get("total_out"));
    m.output_of("overflow", left.get("overflow"));
    m.finish()
}

#[test]
fn large_memories_are_modules_of_their_own() {
    let top = with_srams();
    assert_clean(&top);
    insta::assert_snapshot!(text(&top));
}

/// 2,048 bits are a module, one word less are not; instances are counted through the hierarchy.
#[test]
fn memories_of_2_kbit_are_listed_with_their_instances() {
    let leaf = {
        let m = Builder::new("two_memories", params! {});
        let (address, data, write) = (m.input("address", 6), m.input("data", 32), m.input("write", 1));
        for (name, depth) in [("large", 64), ("small", 63)] {
            let words = m.memory(name, depth, 32);
            m.when(write, || words.write(address, data));
            m.output_of(format!("{name}_word"), words.read(address));
        }
        m.finish()
    };
    let parent = |name: &str, child: &Module, count: usize| {
        let m = Builder::new(name, params! {});
        let (address, data, write) = (m.input("address", 6), m.input("data", 32), m.input("write", 1));
        let mut all = m.lit(32, 0);
        for i in 0..count {
            let block = m.instance(format!("block{i}"), child);
            block.drive("address", address);
            block.drive("data", data + i as u64);
            block.drive("write", write);
            all = all ^ block.get("large_word") ^ block.get("small_word");
        }
        m.output_of("large_word", all);
        m.output_of("small_word", !all);
        m.finish()
    };
    let design = elaborate(&parent("six", &parent("three", &leaf, 3), 2)).expect("correct");
    let exported = export_all(&design, &ExportOptions::default());
    assert_eq!(
        macros_csv(&exported.macros),
        "module,words,bits,write_parts,reads,read_ports,instances,total_bits\n\
         async_ram_depth64_width32_reads1,64,32,1,1,asynchronous,6,12288\n"
    );
    let none = export_all(&design, &ExportOptions { sram_bits: None, ..ExportOptions::default() });
    assert!(none.macros.is_empty());
    let all = export_all(&design, &ExportOptions { sram_bits: Some(63 * 32), ..ExportOptions::default() });
    assert_eq!(all.macros.iter().map(|m| m.instances).collect::<Vec<_>>(), [6, 6]);
}

/// A register that alone takes the words of a memory is the output register of its module; a second one has a copy.
#[test]
fn registers_that_read_are_in_memory_modules() {
    let top = read_into_registers();
    assert_clean(&top);
    let exported = export_all(&elaborate(&top).expect("correct"), &ExportOptions::default());
    assert_eq!(
        macros_csv(&exported.macros),
        "module,words,bits,write_parts,reads,read_ports,instances,total_bits\n\
         async_ram_depth64_width32_reads1,64,32,1,1,asynchronous,5,10240\n\
         sram_depth64_width32,64,32,1,1,registered,3,6144\n\
         sram_depth64_width32_mask4,64,32,4,1,registered,1,2048\n"
    );
    insta::assert_snapshot!(text(&top));
}

#[test]
fn words_of_memory_modules_are_pins() {
    let top = words_with_names();
    assert_clean(&top);
    insta::assert_snapshot!(text(&top));
}

#[test]
fn a_hierarchy_shares_its_modules() {
    let top = hierarchy();
    assert_clean(&top);
    insta::assert_snapshot!(text(&top));
}

#[test]
fn every_operator_as_text() {
    insta::assert_snapshot!(text(&everything(8)));
}

#[test]
fn fields_of_words_have_names() {
    insta::assert_snapshot!(text(&words(8)));
}

#[test]
fn the_same_design_gives_the_same_bytes() {
    assert_eq!(text(&everything(33)), text(&everything(33)));
}

#[test]
fn an_export_replaces_only_an_export() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = folder.path().join("rtl");
    let files = export(&elaborate(&hierarchy()).expect("correct"), &ExportOptions::default());
    write_export(&files, &place, false).expect("a new folder is made");
    write_export(&files[..1], &place, false).expect("an earlier export is replaced");
    let mut names: Vec<_> =
        std::fs::read_dir(&place).expect("it exists").map(|e| e.expect("readable").file_name()).collect();
    names.sort();
    assert_eq!(names, ["adder_width4.v", "files.f"]);
    std::fs::write(folder.path().join("mine.txt"), "mine").expect("writable");
    let refused = write_export(&files, folder.path(), false).expect_err("it holds a file of somebody else");
    assert!(matches!(refused, ExportError::Foreign(_)), "{refused}");
    write_export(&files, folder.path(), true).expect("forced");
}

/// Native simulation against Verilator and Icarus under random inputs.
fn assert_lockstep(top: &Module, seed: u64, cycles: u64) -> Agreement {
    let run = RunLength { sim: options(), ..RunLength::cycles(cycles) };
    let in_icarus = lockstep_icarus(top, &mut RandomStimulus::new(seed), &run).unwrap_or_else(|e| panic!("{e}"));
    let agreement = lockstep(top, &mut RandomStimulus::new(seed), &run).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(in_icarus, agreement);
    assert_eq!(agreement.cycles, cycles + 2);
    agreement
}

#[test]
fn every_operator_means_the_same_in_verilog() {
    for width in [1, 8, 33, 64, 65, 512] {
        let agreement = assert_lockstep(&everything(width), 1, 1000);
        assert_eq!(agreement.still, ["compared_to_limits", "constant"], "width {width}");
    }
}

#[test]
fn memories_and_hierarchies_mean_the_same_in_verilog() {
    assert!(assert_lockstep(&with_srams(), 2, 3000).still.is_empty());
    assert!(assert_lockstep(&hierarchy(), 3, 1000).still.is_empty());
    assert!(assert_lockstep(&words_with_names(), 4, 3000).still.is_empty());
    assert!(assert_lockstep(&read_into_registers(), 5, 3000).still.is_empty());
    for width in [1, 8, 33, 65] {
        assert!(assert_lockstep(&words(width), 6, 3000).still.is_empty());
        assert!(assert_lockstep(&tables(width), 7, 1000).still.is_empty());
    }
}

/// A memory that only a test bench fills, and one whose only write goes beyond its end: found by a random netlist.
#[test]
fn memories_that_nobody_writes_are_clean() {
    let never = {
        let m = Builder::new("never_written", params! {});
        m.output_of("word", m.memory("table_of_words", 8, 4).read(m.input("address", 3)));
        m.finish()
    };
    assert_clean(&never);
    let m = Builder::new("written_beyond", params! {});
    let inner = m.instance("inner", &never);
    inner.drive("address", m.input("address", 3));
    let memory = m.memory("one_word", 1, 4);
    memory.write(m.lit(1, 1), inner.get("word"));
    m.output_of("word", m.delayed("word_before", memory.read(m.lit(1, 0)) ^ inner.get("word")));
    assert_clean(&m.finish());
}

/// Yosys makes registers of a memory that is written at constant rows, and warns, unless the row has a name.
#[test]
fn memories_written_at_constant_rows_are_clean() {
    let m = Builder::new("constant_rows", params! {});
    let (data, mask, row) = (m.input("data", 32), m.input("mask", 4), m.input("row", 1));
    let one = m.memory("one", 1, 32);
    m.when(mask.any(), || one.write_masked(m.lit(1, 0), data, mask));
    let two = m.memory("two", 2, 32);
    m.when(mask.bit(0), || two.write(m.lit(1, 0), data));
    m.when(mask.bit(1), || two.write(m.lit(1, 1), data));
    m.output_of("of_one", one.read(m.lit(1, 0)));
    m.output_of("of_two", two.read(row));
    let top = m.finish();
    assert_clean(&top);
    assert_lockstep(&top, 3, 200);
}

/// Icarus 11 computes an index in more bits than it has: found by a random netlist.
#[test]
fn arithmetic_in_an_index_wraps() {
    let m = Builder::new("wrapping_index", params! {});
    let (a, b, data) = (m.input("a", 2), m.input("b", 2), m.input("data", 16));
    let indices = [a * b, a + b, a - b, a << b, !(a + b), mux(a.bit(0), a + b, b), (a - b) & a, (a * b) >> 1];
    let mut words = vec![];
    for (i, index) in indices.into_iter().enumerate() {
        let memory = m.memory(format!("memory{i}"), 4, 4);
        memory.write(index, data.bits(i as u32, 4));
        words.extend([memory.read(index), memory.read(a), data.bits(0, 4).at(index)]);
    }
    m.output_of("words", concat(&words));
    let top = m.finish();
    assert_clean(&top);
    lockstep_icarus(&top, &mut RandomStimulus::new(1), &RunLength::cycles(200)).unwrap_or_else(|e| panic!("{e}"));
    assert_lockstep(&top, 1, 200);
}

#[test]
fn a_difference_is_found_and_named() {
    let top = hierarchy();
    let design = elaborate(&top).expect("correct");
    let mut recording = Recording::new(&top);
    record(&design, &mut RandomStimulus::new(4), &RunLength::cycles(50), &mut recording).expect("no assertion fails");
    let LockstepRow { inputs, outputs, .. } = &mut recording.rows[30];
    outputs.set("difference", outputs.get("difference") ^ 5);
    let (inputs, wrong) = (inputs.clone(), outputs.get("difference"));
    let model = VerilatedModel::build(&design, &ModelOptions::default()).expect("it builds");
    let mut feed = model.start().expect("it starts");
    let by_verilator = recording.replay(&mut feed).and_then(|()| feed.finish()).expect_err("one bit is wrong");
    let by_icarus = replay_on_icarus(&design, &recording).expect_err("one bit is wrong");
    for error in [by_verilator, by_icarus] {
        let LockstepError::Differs { difference, .. } = error else { panic!("{error}") };
        let expected = Difference {
            cycle: 30,
            port: "difference".into(),
            width: 4,
            native: format!("{wrong:x}"),
            verilog: format!("{:x}", wrong ^ 5),
        };
        assert_eq!(*difference, expected, "{inputs:?}");
    }
}

/// Two equal tiles in a ring, one cycle each way.
fn ring() -> Module {
    let tile = {
        let m = Builder::new("ring_tile", params! { width: 70 });
        let (from, salt) = (m.input("from", 70), m.input("salt", 8));
        let state = m.register("state", 70, 1);
        m.set(state, (from << 1) ^ salt.extend(70) ^ state);
        m.output_of("to", state);
        m.output_of("parity", m.delayed("parity_before", from.parity()));
        m.finish()
    };
    let m = Builder::new("ring", params! {});
    let (left, right) = (m.tile("left", &tile), m.tile("right", &tile));
    left.drive("from", right.get("to"));
    right.drive("from", left.get("to"));
    left.drive("salt", m.input("left_salt", 8));
    right.drive("salt", m.input("right_salt", 8));
    m.output_of("parity", left.get("parity"));
    m.finish()
}

#[test]
fn tile_outputs_are_compared_with_tiles_compiled_apart() {
    let observed = ring().observed();
    let mut run = RunLength::cycles(500);
    run.model.apart = vec!["ring_tile".into()];
    let agreement = lockstep(&observed, &mut RandomStimulus::new(5), &run).unwrap_or_else(|e| panic!("{e}"));
    let compared = ["parity", "observed_left_to", "observed_left_parity", "observed_right_to", "observed_right_parity"];
    assert_eq!(agreement.moved, compared);
    assert_eq!(agreement.output_bits, 1 + 2 * 71);
}
