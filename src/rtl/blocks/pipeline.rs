//! Registers for a valid/ready stream: a pipeline register and a skid register.
//!
//! ```text
//!                     +--------+
//!  in_valid      (1)->|        |-> out_valid     (1)
//!  in_data   (width)->| 1 or 2 |-> out_data  (width)
//!  in_ready      (1)<-| places |<- out_ready     (1)
//!                     +--------+
//! ```
//!
//! Contract: a word moves at a clock edge where valid and ready are both high; order is kept, nothing is lost or
//! doubled; latency one cycle, throughput one word a cycle. After reset both are empty. Once `out_valid` is high it
//! stays high, with the same data, until `out_ready`.
//!
//! * [`pipeline_register`]: one place; `in_ready` depends on `out_ready` in the same cycle.
//! * [`skid_register`]: two places; every output is a register, so it cuts the ready path too.
//!
//! Testbenches: `testbenches/pipeline_register/`, `testbenches/skid_register/`.

use hdl::{Builder, Module, bundle, mux, params, ports};

bundle! {
    /// A word of a stream.
    pub struct StreamWord(width: &u32) {
        /// There is one.
        valid: 1,
        /// The word.
        data: *width,
    }
}

ports! {
    /// Ports of a register in a stream of words of so many bits.
    pub struct StreamRegisterPorts(width: &u32) of StreamRegister {
        /// Words that come.
        in word as "in": bundle StreamWord(width) with ready: 1,
        /// Words that go.
        out next as "out": bundle StreamWord(width) with ready: 1,
    }
}

/// One place for words of `width` bits (1 and up).
pub fn pipeline_register(width: u32) -> Module {
    let m = Builder::new("pipeline_register", params! { width });
    m.doc("A register in a valid/ready stream; ready passes through.");
    let io = ports(&m, width);
    let (StreamWord { valid: in_valid, data: in_data }, in_ready) = io.word().signals();
    let out_ready = io.next().answer();
    let valid = m.register("valid", 1, 0);
    let data = m.register_payload("word", in_data.width());
    let ready = m.wire("ready", !valid | out_ready);
    m.when(ready, || m.set(valid, in_valid));
    m.when(ready & in_valid, || m.set(data, in_data));
    in_ready.shows(ready);
    io.next().shows(StreamWord { valid, data });
    m.finish()
}

/// Two places for words of `width` bits (1 and up); all outputs are registers.
pub fn skid_register(width: u32) -> Module {
    let m = Builder::new("skid_register", params! { width });
    m.doc("A register in a valid/ready stream that cuts valid, data and ready.");
    let io = ports(&m, width);
    let (StreamWord { valid: in_valid, data: in_data }, in_ready) = io.word().signals();
    let out_ready = io.next().answer();
    let (valid, ready) = (m.register("valid", 1, 0), m.register("ready", 1, 1));
    let data = m.register_payload("word", in_data.width());
    let skid = m.register_payload("skid", in_data.width());
    m.comment("Not ready: a word waits in the skid place, and the output place is taken.");
    let moves = m.wire("moves", !valid | out_ready);
    m.when(moves, || {
        m.set(valid, in_valid | !ready);
        m.set(ready, 1);
        m.when(in_valid | !ready, || m.set(data, mux(ready, in_data, skid)));
    })
    .otherwise(|| {
        m.when(in_valid & ready, || {
            m.set(skid, in_data);
            m.set(ready, 0);
        });
    });
    in_ready.shows(ready);
    io.next().shows(StreamWord { valid, data });
    m.always("a waiting word has a word before it", ready | valid);
    m.finish()
}

fn ports(m: &Builder, width: u32) -> StreamRegisterPorts<'_> {
    m.require(width >= 1, "stream register: width = 0 bits, at least 1 is needed");
    StreamRegisterPorts::new(m, &width.max(1))
}
