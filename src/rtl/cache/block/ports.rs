//! Ports of a cache.

use crate::{
    CacheParams,
    events::{CacheEvents, PrefetchEvents, PrefetchRequest},
};
use hdl::ports;
use protocol::{MemoryReply, MemoryRequest};

ports! {
    /// Ports of a [`cache`](super::cache()); also those of a [server](protocol::Server) and a
    /// [client](protocol::Client) of the memory protocol.
    pub struct CachePorts(p: &CacheParams) of Cache {
        /// Requests from above.
        in request: bundle MemoryRequest(&p.protocol) with taken: 1,
        /// The warp that the request is of.
        maybe (p.locality.is_some()) in request_warp: p.warp_bits(),
        /// Replies to them.
        out reply: bundle MemoryReply(&p.protocol) with taken: 1,
        /// Lines that somebody may want soon.
        maybe (p.prefetches()) in prefetch: bundle PrefetchRequest(p) with taken: 1,
        /// Requests below: misses, writes and dirty lines.
        out downstream: bundle MemoryRequest(&p.downstream()) with taken: 1,
        /// Replies from below: lines, and acknowledgements of writes.
        in downstream_reply: bundle MemoryReply(&p.downstream()) with taken: 1,
        /// Writes all dirty lines back, and clears the sets; no request comes meanwhile.
        in flush: 1,
        /// That is done, and all writes are acknowledged.
        out flushed: 1,
        /// What becomes of prefetches.
        maybe (p.prefetches()) out prefetch_event: bundle PrefetchEvents(&()),
        /// What happens to lines.
        maybe (p.locality.is_some()) out event: bundle CacheEvents(p),
    }
}
