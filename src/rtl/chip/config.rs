//! What a person writes: the configuration file of a chip, every field with a default.
//!
//! Reading it is [`load`](mod@super::load), checking it and deriving what is built is [`Chip`](super::Chip).

mod cache;
mod network;

pub use cache::{CacheConfig, CachesConfig, L1Config, L2Config, ReadOnlyConfig, WriteConfig};
pub use network::{
    ClassChannels, GraphConfig, NetworkConfig, NetworkModel, OverlayConfig, OverlayInjection, OverlayKind,
    ReplyInjection, ReplyWrite, RingConfig,
};

use super::facts::SEVERAL_CORES;
use common::parameters;
use memory::{AddressMapKind, DramScheduler, DramTiming, PartialWrite, WriteReply};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use simt_core::CoreConfig;

parameters! {
    /// A chip. Every field has a default: an empty file is the default chip.
    pub struct ChipConfig {
        /// Config file to start from: a path relative to this file, or the name of an embedded config. This file then says only
        /// what differs.
        #[serde(skip_serializing_if = "String::is_empty")]
        base: String = String::new();
        /// Name of the chip, shown in reports.
        name: String = "default".into();
        /// Clock frequencies.
        clocks: ClocksConfig;
        /// Network on chip: mesh, placement, routers.
        network: NetworkConfig;
        /// SIMT cores; one at every node without a memory controller.
        #[key("block_distribution", follows(SEVERAL_CORES))]
        core: CoreConfig;
        /// Memory controllers and their DRAM.
        memory: MemoryConfig;
        /// Caches between cores and DRAM.
        cache: CachesConfig;
    }
}

parameters! {
    /// Clock frequencies. Parts with equal ones share a clock; between others are clock crossings.
    pub struct ClocksConfig {
        /// Cores and block dispatcher.
        core: u32 = 602, range(1, 10_000) MHz;
        /// Routers, network interfaces, L2.
        #[only(is("memory.model", "controllers"))]
        noc: u32 = 602, range(1, 10_000) MHz;
        /// Memory controllers and DRAM.
        #[only(is("memory.model", "controllers"))]
        dram: u32 = 602, range(1, 10_000) MHz;
        /// Overlays for replies (`network.overlay`); 0: as `noc`.
        #[only(other_than("network.overlay.kind", "none"))]
        overlay: u32 = 0, range(0, 10_000) MHz;
    }
}

impl ClocksConfig {
    /// Frequencies of cores, routers, controllers and overlays, MHz.
    pub fn megahertz(&self) -> [u32; 4] {
        let Self { core, noc, dram, overlay } = *self;
        [core, noc, dram, if overlay == 0 { noc } else { overlay }]
    }

    /// Clock domain of the cores, routers, controllers and overlays, by its name at the top of the chip: the default one is that of the cores.
    pub fn domains(&self) -> [&'static str; 4] {
        let [core, noc, dram, overlay] = self.megahertz();
        let of_noc = if noc == core { "clock" } else { "noc" };
        let of_dram = if dram == core {
            "clock"
        } else if dram == noc {
            of_noc
        } else {
            "dram"
        };
        let others = [(noc, of_noc), (core, "clock"), (dram, of_dram)];
        let of_overlay = others.into_iter().find(|(mhz, _)| *mhz == overlay).map_or("overlay", |(_, name)| name);
        ["clock", of_noc, of_dram, of_overlay]
    }

    /// The parts with clocks of their own: name, clock domain and MHz of each.
    pub fn parts(&self) -> [(&'static str, &'static str, u32); 4] {
        let ([core, noc, dram, overlay], mhz) = (self.domains(), self.megahertz());
        [("core", core, mhz[0]), ("noc", noc, mhz[1]), ("dram", dram, mhz[2]), ("overlay", overlay, mhz[3])]
    }
}

/// What serves the requests of cores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum MemoryModel {
    /// Network, L2 banks, controllers and DRAM.
    #[default]
    Controllers,
    /// Behavioural, for limit studies: every request gets its reply in the cycle in which it leaves its core. There is neither network nor cache,
    /// and one clock, that of the cores. Such a chip cannot be exported.
    Perfect,
}

parameters! {
    /// Memory controllers and the DRAM behind each.
    pub struct MemoryConfig {
        /// Controllers with their DRAM, or a perfect memory for limit studies.
        model: MemoryModel = MemoryModel::Controllers;
        /// Memory controllers, leaving room for a core.
        controllers: u32 = 4, range(1, 64);
        /// DRAM banks per controller.
        #[only(is("model", "controllers").or(is("address_map", "page-2k")))]
        banks: u32 = 8, powers(2, 64);
        /// A DRAM row.
        #[only(is("model", "controllers").or(is("address_map", "page-2k")))]
        row_bytes: u32 = 2048, powers(256, 16_384) bytes;
        /// A line: the unit of every request and of a DRAM burst.
        line_bytes: u32 = 64, powers(32, 128) bytes;
        /// Requests that a controller queues.
        #[only(is("model", "controllers"))]
        queue_entries: u32 = 32, range(1, 128);
        /// Replies of a controller in the DRAM or waiting for the network.
        #[only(is("model", "controllers"))]
        reply_entries: u32 = 8, range(1, 256);
        /// Which addresses a controller holds.
        #[only(above("controllers", 1))]
        address_map: AddressMapKind = AddressMapKind::Low256;
        /// Which request a controller serves next.
        #[only(is("model", "controllers"))]
        scheduler: DramScheduler = DramScheduler::Fifo;
        /// Requests that may go before the oldest one of their bank, of a scheduler that lets them; 0: any number.
        #[only(policy("scheduler", |kind: DramScheduler| kind.policy().may_overtake()))]
        row_streak_max: u32 = 0, range(0, 1023);
        /// Cycles that every reply waits after its burst; `reply_entries` have to cover them for full bandwidth.
        #[only(is("model", "controllers"))]
        min_latency: u32 = 0, range(0, 1023) cycles;
        /// How writes of less than 16 bytes of a chunk are done.
        #[only(is("model", "controllers"))]
        partial_write: PartialWrite = PartialWrite::Mask;
        /// Whether writes are acknowledged. `none` needs a network that keeps the order of a core's requests to a controller.
        #[only(is("model", "controllers"))]
        write_reply: WriteReply = WriteReply::Packet;
        /// Outstanding atomics at a memory node.
        #[only(is("model", "controllers"))]
        #[only(is("core.atomics", true))]
        atomic_entries: u32 = 8, range(2, 64);
        /// DRAM timing, cycles of its clock.
        #[only(is("model", "controllers"))]
        timing: DramTiming;
    }
}
