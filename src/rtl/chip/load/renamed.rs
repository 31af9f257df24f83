//! Keys and values of earlier versions: whoever writes one is told the name of today.

/// Keys, and what they are called now. `*` stands for one part of a path, the same on both sides; a table may be a key, and a key may have
/// become a table.
pub const RENAMED_KEYS: &[(&str, &str)] = &[
    ("core.under_way", "core.max_outstanding"),
    ("core.loads", "core.load_entries"),
    ("core.distribution", "core.block_distribution"),
    ("core.interval", "core.initiation_interval"),
    ("core.shared_group", "core.shared_conflict_group"),
    ("core.prefetch.adapts", "core.prefetch.adaptive_throttling"),
    ("core.prefetch.period", "core.prefetch.throttling_period"),
    ("core.prefetch.queue", "core.prefetch.queue_entries"),
    ("cache.*.mshr", "cache.*.mshr.kind"),
    ("cache.*.mshr_entries", "cache.*.mshr.entries"),
    ("cache.*.mshr_ways", "cache.*.mshr.ways"),
    ("cache.*.mshr_targets", "cache.*.mshr.targets"),
    ("cache.*.mshr_cam_entries", "cache.*.mshr.cam_entries"),
    ("cache.*.mshr_cam_pipelined", "cache.*.mshr.cam_pipelined"),
    ("cache.*.mshr_protected_victims", "cache.*.mshr.protected_victims"),
    ("cache.*.mshr_fields", "cache.*.mshr.targets"),
    ("cache.*.mshr_small_entries", "cache.*.mshr.cam_entries"),
    ("cache.*.mshr_small_ahead", "cache.*.mshr.cam_pipelined"),
    ("cache.*.mshr_spares", "cache.*.mshr.protected_victims"),
    ("cache.*.miss_entries", "cache.*.miss_queue_entries"),
    ("cache.l2.return_entries", "cache.l2.fill_queue_entries"),
    ("cache.l1d.locality", "cache.l1d.warp_locality"),
    ("network.depth", "network.vc_depth"),
    ("network.request_depth", "network.request_vc_depth"),
    ("network.reply_depth", "network.reply_vc_depth"),
    ("network.empty", "network.empty_nodes"),
    ("network.injection_links", "network.reply_injection_links"),
    ("network.ring.cycles", "network.ring.round_trip_cycles"),
    ("network.ring.tx", "network.ring.tx_queue_packets"),
    ("network.ring.rx", "network.ring.rx_queue_packets"),
    ("network.overlay.buffer", "network.overlay.buffer_flits"),
    ("network.turnaround", "network.vc_reuse_delay"),
    ("network.tx_places", "network.tx_queue_packets"),
];

/// Values of keys (as in [`RENAMED_KEYS`]), and what they are called now.
pub const RENAMED_VALUES: &[(&str, &str, &str)] = &[
    ("cache.*.write_miss", "forward", "no-allocate"),
    ("cache.*.write_miss", "fetch", "allocate"),
    ("cache.*.write_pending", "wait", "stall"),
    ("core.shared_conflict_group", "beat", "lanes"),
];

/// The parts of `path` that stand for `*`, if it is one of `pattern`.
fn matched<'p>(pattern: &str, path: &'p str) -> Option<Vec<&'p str>> {
    let (of_pattern, of_path) = (pattern.split('.'), path.split('.'));
    if of_pattern.clone().count() != of_path.clone().count() {
        return None;
    }
    let mut any = vec![];
    for (expected, part) in of_pattern.zip(of_path) {
        match expected {
            "*" => any.push(part),
            _ if expected == part => {}
            _ => return None,
        }
    }
    Some(any)
}

/// What the key is called now.
pub(super) fn key(path: &str) -> Option<String> {
    let found = RENAMED_KEYS.iter().find_map(|(old, new)| Some((*new, matched(old, path)?)));
    found.map(|(new, any)| any.into_iter().fold(new.to_string(), |path, part| path.replacen('*', part, 1)))
}

/// What the value of a key is called now.
pub(super) fn value(path: &str, written: &str) -> Option<&'static str> {
    let of_key = |(pattern, old, _): &&(&str, &str, &str)| *old == written && matched(pattern, path).is_some();
    RENAMED_VALUES.iter().find(of_key).map(|(_, _, new)| *new)
}
