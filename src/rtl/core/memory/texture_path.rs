//! Way of textures: reads of texels leave the way of other loads behind the load/store unit, and their lines come back
//! in the order of request.
//!
//! ```text
//!                                  +----------------------------+--> data_request_* (all others)
//!  request_*, request_texture ---->| texels: a place each       |<-- data_request_taken
//!  request_taken <-----------------|                            |--> fetch: valid, tag, line (texture cache)
//!                                  | lines (8), in order        |<-- fetch_taken
//!  reply_* <-----------------------|                            |<-- line: valid, tag, data
//!                                  +----------------------------+<-- data_reply_*
//! ```
//!
//! Contract: a request passes in the cycle in which it is shown; a read of a texel waits for a place. Replies of others
//! pass at once; a line of texels in any other cycle, when it is here and all lines asked for before it have left.
//! Replies are always taken above. Nothing keeps an order between texels and stores: textures are only read.
//!
//! Source: Bakhoda's thesis, section 3.2.1, and GPGPU-Sim (replies of textures leave in the order of request).
//!
//! Testbench: `testbenches/texture_path/`; tests: `tests/core/random.rs`.

use super::{
    read_only_cache::{LineRead, LineReply},
    stage::{MemoryClient, MemoryStage, PassingServerPorts, StageContext},
};
use crate::config::CoreParams;
use blocks::index_one_hot;
use hdl::{Builder, Child, Module, Producer, Statistic, Taken, index_width, mux, params, ports, statistics};
use protocol::{MemoryReply, MemoryRequest, Protocol};

statistics! {
    "texture_path" {
        /// Reads of lines of texels.
        READS: reads in "requests";
        /// Cycles in which a read of texels waits for a place.
        ENTRY_WAIT_CYCLES: entry_wait_cycles in "cycles";
        /// Cycles in which a line of texels waits for one that was requested before.
        ORDER_WAIT_CYCLES: order_wait_cycles in "cycles";
    }
}

/// Lines of texels outstanding.
pub const PLACES: u32 = CoreParams::TEXTURE_PLACES;

/// Its row.
pub(crate) struct TexturePath;

/// What it is called in a core.
pub(crate) const TEXTURE_PATH: &str = "texture_path";

impl MemoryStage for TexturePath {
    fn name(&self) -> &'static str {
        TEXTURE_PATH
    }

    fn about(&self) -> &'static str {
        "Way of textures."
    }

    fn exists(&self, p: &CoreParams) -> bool {
        p.texture_cache.is_some()
    }

    fn module(&self, p: &CoreParams, _above: Protocol) -> Option<Module> {
        self.exists(p).then(|| texture_path(p))
    }

    fn below<'m>(&self, stage: Child<'m>) -> Box<dyn MemoryClient<'m> + 'm> {
        Box::new(TexturePathUnit(stage))
    }

    fn connect<'m>(&self, stage: Child<'m>, core: &StageContext<'_, 'm>) {
        TexturePathUnit(stage).request_texture(core.global.request_texture().expect("a core with textures tells them"));
    }

    fn statistics(&self) -> &'static [Statistic] {
        STATISTICS
    }
}

ports! {
    /// Ports of a [`texture_path`], beside those towards the load/store unit.
    pub struct TexturePathPorts(p: &CoreParams) of TexturePathUnit {
        /// The request is of texels.
        in request_texture: 1,
        /// Requests of all others.
        out data_request: bundle MemoryRequest(&p.protocol()) with taken: 1,
        /// Replies to them, which are always taken.
        in data_reply: bundle MemoryReply(&p.protocol()),
        /// Lines of texels that are wanted, for the texture cache.
        out fetch: bundle LineRead(&p.texture_protocol()) with taken: 1,
        /// Lines that it has read, in any order.
        in line: bundle LineReply(&p.texture_protocol()),
    }
}

impl<'m> MemoryClient<'m> for TexturePathUnit<'m> {
    fn requests(&self) -> Producer<'m, MemoryRequest<'m>, Taken> {
        self.data_request()
    }

    fn take_reply(&self, reply: MemoryReply<'m>) {
        self.data_reply(reply);
    }
}

/// The block.
pub fn texture_path(p: &CoreParams) -> Module {
    let (protocol, read) = (&p.protocol(), &p.texture_protocol());
    let m = Builder::new(
        "texture_path",
        params! { line_bytes: protocol.line_bytes, tag_bits: protocol.tag_bits; below: read },
    );
    m.doc("Way of textures: their reads leave that of other loads, and come back in order.");
    let (up, io) = (PassingServerPorts::new(&m, protocol), TexturePathPorts::new(&m, p));
    let place_bits = index_width(PLACES as usize);
    let used = m.register("used", place_bits + 1, 0);
    let (head, tail) = (m.register("head", place_bits, 0), m.register("tail", place_bits, 0));

    m.comment("Requests.");
    let (request, request_taken) = up.request().signals();
    let of_texels = m.wire("of_texels", request.valid & io.request_texture());
    io.data_request().shows(MemoryRequest { valid: request.valid & !of_texels, ..request });
    let asks = m.wire("asks", of_texels & used.lt(PLACES));
    io.fetch().shows(LineRead { valid: asks, tag: tail, line: request.line });
    let taken = m.wire("taken", asks & io.fetch().answer());
    request_taken.shows(taken | io.data_request().answer() & !of_texels);
    let tags = m.memory("tags", PLACES as usize, protocol.tag_bits);
    m.when(taken, || tags.write(tail, request.tag));
    m.when(taken, || m.set(tail, tail + 1));
    m.always("textures are not stored", !(of_texels & request.write));

    m.comment("Replies: those of others first.");
    let line = io.line();
    let lines = m.memory("lines", PLACES as usize, protocol.data_bits());
    m.when(line.valid, || lines.write(line.tag, line.data));
    let here = m.register("lines_here", PLACES, 0);
    let first = m.wire("first_here", (here & index_one_hot(head, PLACES)).any());
    let other = io.data_reply();
    let leaves = m.wire("leaves", first & !other.valid);
    up.reply(MemoryReply {
        valid: first | other.valid,
        write: other.valid & other.write,
        tag: mux(other.valid, other.tag, tags.read(head)),
        data: mux(other.valid, other.data, lines.read(head)),
    });
    let came = index_one_hot(line.tag, PLACES) & line.valid.repeat(PLACES);
    m.set(here, here & !(index_one_hot(head, PLACES) & leaves.repeat(PLACES)) | came);
    m.when(leaves, || m.set(head, head + 1));
    m.when(taken ^ leaves, || m.set(used, mux(taken, used + 1, used - 1)));
    m.always("a line comes once for each place", !line.valid | (came & here).is_zero() & used.any());
    m.count(READS, taken);
    m.count(ENTRY_WAIT_CYCLES, of_texels & !asks);
    m.count(ORDER_WAIT_CYCLES, here.any() & !first);
    m.finish()
}
