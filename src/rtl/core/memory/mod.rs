//! Memory stage of a core: what its loads and stores become.
//!
//! Instructions enter as [`Access`](super::ports::Access) and [`AccessBeat`](super::ports::AccessBeat): those of shared
//! memory go to [`mod@shared_memory`], those of constants to [`mod@constant_memory`] (where there is a constant cache,
//! else they are global), those of global memory to [`mod@load_store`], a chain of parts with the memory protocol
//! ([`protocol`]) between them: [`mod@coalescer`], [`mod@pending_request_table`], [`mod@store_tracker`].
//! Behind them come the stages that the core has ([`stages`]): [`mod@texture_path`], [`mod@load_merge`], [`mod@l1_data`],
//! [`mod@line_order`], [`mod@posted_writes`]. All units of a core that read or write global memory are clients of its
//! [`mod@memory_port`], which turns transactions into packets, among them caches that are only read
//! ([`mod@read_only_cache`]). [`sub_word`] knows bytes and half words.

pub mod coalescer;
pub mod constant_memory;
pub mod l1_data;
mod l1_events;
pub mod line_order;
pub mod load_merge;
pub mod load_store;
pub mod memory_port;
pub mod pending_request_table;
pub mod posted_writes;
pub mod read_only_cache;
pub mod shared_groups;
pub mod shared_memory;
pub mod shared_queue;
pub mod stage;
pub mod stages;
pub mod store_tracker;
pub mod sub_word;
pub mod texture_path;

pub use constant_memory::{ConstantMemory, constant_memory};
pub use l1_data::{L1Params, l1_data};
pub use load_store::{LoadStore, load_store};
pub use memory_port::memory_port;
pub use posted_writes::{PostedWritesParams, posted_writes};
pub use read_only_cache::{ReadOnlyCache, read_only_cache};
pub use shared_memory::{SharedMemory, shared_memory};
pub use texture_path::{TexturePathUnit, texture_path};
