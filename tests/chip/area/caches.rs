//! Area of caches against the thesis' bank, and their arrays against the netlist.

use warpmesh::{
    area::{
        ArrayTechnology, ArrayUse, ChipArea, Layout, Technology,
        caches::parts,
        structure::{Counting, by_block},
    },
    cache::{
        Allocation, CacheParams, MissHandling, OwnParams, Prefetching, ProtectedVictims, Replacement, WriteHit, block,
        cache,
    },
    chip::load,
    memory::protocol::Protocol,
    netlist::elaborate,
};

fn area(config: &str, overrides: &[&str]) -> ChipArea {
    let overrides: Vec<_> = overrides.iter().map(ToString::to_string).collect();
    let chip = load(Some(config.as_ref()), &overrides).unwrap_or_else(|error| panic!("{error}"));
    ChipArea::new(&chip, Layout::Tile, &Technology::NM65)
}

/// Section 6.8 of Bakhoda's thesis: 13.84 mm^2 for eight banks of 128 KB; a chip without L2 is counted with them.
#[test]
fn the_banks_of_the_thesis() {
    assert!((area("bakhoda-ch6.toml", &[]).l2_mm2() / 13.84 - 1.0).abs() < 0.01);
    assert_eq!(area("baseline-tb-dor.toml", &[]).l2_mm2(), 13.84);
}

#[test]
fn a_larger_cache_takes_more_and_the_chip_is_the_sum() {
    let l2 = |bytes: u32| area("bakhoda-ch6.toml", &[&format!("cache.l2.bytes={bytes}")]).l2_mm2();
    assert!(l2(262_144) > 1.7 * l2(131_072) && l2(131_072) > 1.7 * l2(65_536));
    let entries = |kind: &[&str]| {
        let area = area("bakhoda-ch6.toml", kind);
        let parts = area.l2.as_ref().expect("an L2").parts.iter();
        parts.filter(|part| ["miss entries", "entry numbers in tags"].contains(&part.name)).map(|part| part.mm2).sum()
    };
    let full: f64 = entries(&["cache.l2.mshr.entries=64"]);
    let tsma: f64 = entries(&["cache.l2.mshr.entries=64", "cache.l2.mshr.kind=tsma", "cache.l2.allocation=on-miss"]);
    assert!(tsma < full, "{tsma} {full}");
    let area = area("bakhoda-ch6.toml", &[]);
    let sum = area.cores_mm2() + area.controllers_mm2() + area.l1d_mm2() + area.l2_mm2() + area.network.total_mm2();
    assert!((area.total_mm2() - sum).abs() < 1e-9 && area.l1d_mm2() > 0.0);
}

/// Six reads that hit, four that miss, three writes that hit: what each array has done, and nothing where nothing was.
#[test]
fn energy_is_that_of_accesses() {
    let chip = load(Some("bakhoda-ch6.toml".as_ref()), &[]).unwrap_or_else(|error| panic!("{error}"));
    let cache = chip.partition().l2.expect("an L2").cache;
    let total = |statistic| match statistic {
        block::READS => 10,
        block::READ_HITS => 6,
        block::PRIMARY_MISSES => 4,
        block::WRITES | block::WRITE_HITS => 3,
        _ => 0,
    };
    let of = |name: &str| {
        let all = ArrayUse::of_cache("L2", &cache, total);
        let array = all.into_iter().find(|array| array.name == name).unwrap_or_else(|| panic!("no {name}"));
        (array.reads, array.writes)
    };
    assert_eq!((of("L2 tags"), of("L2 lines")), ((17, 13), (6, 7)));
    assert_eq!((of("L2 miss entries"), of("L2 miss targets")), ((13, 4), (4, 4)));
    let technology = ArrayTechnology::scaled(65, 1.1);
    let energy = |uses: Vec<ArrayUse>| uses.iter().map(|array| array.energy_j(&technology)).sum::<f64>();
    assert!(energy(ArrayUse::of_cache("L2", &cache, total)) > 0.0);
    assert_eq!(energy(ArrayUse::of_cache("L2", &cache, |_| 0)), 0.0);
}

/// Chapter 5 of Kim's thesis: 32 KB of 8 ways with 48 entries. A hybrid takes more than a TSMA and less than registers
/// with comparators; the numbers and index tags of a TSMA, of which the thesis leaves out the latter, are parts of
/// their own.
#[test]
fn miss_handling_is_counted_apart() {
    let parts_of = |kind: &[&str]| {
        let of_l1 = ["cache.l1d.bytes=32768", "cache.l1d.ways=8", "cache.l1d.mshr.entries=48", "memory.line_bytes=128"];
        let limits = ["core.tag_bits=0", "core.max_outstanding=64"];
        let all: Vec<_> = of_l1.iter().chain(&limits).chain(kind).copied().collect();
        area("small-l1.toml", &all).l1d.expect("a data cache")
    };
    let full = parts_of(&[]);
    let on_miss = "cache.l1d.allocation=on-miss";
    let tsma = parts_of(&["cache.l1d.mshr.kind=tsma", on_miss]);
    let htsma = parts_of(&["cache.l1d.mshr.kind=htsma", on_miss, "cache.l1d.mshr.cam_entries=8"]);
    let sets = parts_of(&["cache.l1d.mshr.kind=set-associative", "cache.l1d.mshr.ways=6"]);
    let one = |area: &warpmesh::area::CacheArea, name: &str| -> f64 {
        area.parts.iter().filter(|part| part.name == name).map(|part| part.mm2).sum()
    };
    let tags = |area: &warpmesh::area::CacheArea| one(area, "miss entries") + one(area, "CAM miss entries");
    assert!(tags(&tsma) == 0.0 && tags(&tsma) < tags(&htsma) && tags(&htsma) < tags(&full));
    assert!(tags(&sets) < tags(&full) && tags(&sets) > 0.0);
    for (area, has) in [(&full, false), (&sets, false), (&tsma, true), (&htsma, true)] {
        assert_eq!(one(area, "index tags") > 0.0, has);
        assert_eq!(one(area, "entry numbers in tags") > 0.0, has);
        assert!(area.misses_mm2() > 0.0 && area.misses_mm2() < 0.5 * area.one_mm2());
    }
    assert!(htsma.misses_mm2() > tsma.misses_mm2());
}

/// Tables of prefetchers are parts of the data caches, and have the bits of the netlist's registers: of each entry.
#[test]
fn tables_of_prefetchers_are_counted() {
    let of = |kind: &str| {
        let area = area("small-l1.toml", &[&format!("core.prefetch.kind={kind}")]);
        let parts = area.l1d.as_ref().expect("a data cache").parts.clone();
        (area.l1d_mm2(), parts.iter().map(|part| part.name).collect::<Vec<_>>())
    };
    let (none, parts) = of("none");
    let (stride, with_strides) = of("pcst");
    let (both, with_both) = of("stpe");
    let (many, with_many) = of("mt-hwp");
    assert!(none < stride && stride < both && none < many);
    assert_eq!(with_strides, [&parts[..], &["strides"]].concat());
    assert_eq!(with_both, [&parts[..], &["strides", "distances"]].concat());
    assert_eq!(with_many.len(), parts.len() + 3);
}

/// What has a row a set or a line, and the fields: as many bits as the memories of these blocks in the netlist.
#[test]
fn arrays_have_the_bits_of_the_netlist() {
    let base = CacheParams {
        entries: 8,
        entry_ways: 4,
        targets: 4,
        ..CacheParams::new(Protocol { line_bytes: 64, tag_bits: 6 }, 16, 4)
    };
    let on_miss = CacheParams { allocation: Allocation::OnMiss, ..base.clone() };
    let kinds = [
        CacheParams { replacement: Replacement::Random, ways: 2, ..base.clone() },
        CacheParams { write_hit: WriteHit::Evict, replacement: Replacement::Tree, ..base.clone() },
        CacheParams { ways: 1, sets: 64, targets: 2, ..base.clone() },
        CacheParams { misses: MissHandling::Tsma, ..on_miss.clone() },
        CacheParams {
            misses: MissHandling::Htsma,
            own: OwnParams { cam_entries: 3, ..OwnParams::default() },
            ..on_miss.clone()
        },
        CacheParams {
            misses: MissHandling::Htsma,
            own: OwnParams { protects: ProtectedVictims::All, ..OwnParams::default() },
            locality: Some(5),
            ..on_miss.clone()
        },
        CacheParams { misses: MissHandling::Unlimited, entries: 65, write_backs: 67, ..base.clone() },
        CacheParams { prefetching: Prefetching::Beside, ..on_miss.clone() },
        on_miss,
        base,
    ];
    for p in kinds {
        let design = elaborate(&cache(&p)).unwrap_or_else(|error| panic!("{error}"));
        let blocks = by_block(&design, &Counting::default(), 1);
        let memory =
            |kind: &str| -> u64 { blocks.iter().filter(|b| b.path == [kind]).map(|b| b.structure.memory_bits()).sum() };
        let counted = |fields: bool| -> u64 {
            let parts =
                parts(&p).into_iter().filter(|part| if fields { part.name == "miss targets" } else { part.large });
            let bits = |part: warpmesh::area::caches::CachePart| {
                part.array.entries * (part.array.data_bits + part.array.tag_bits)
            };
            parts.map(|part| u64::from(bits(part))).sum()
        };
        assert_eq!(counted(false), memory("cache_set_array") + memory("cache_data_array"), "{p:?}");
        assert_eq!(counted(true), memory("cache_targets") + memory("cache_waiting_lists"), "{p:?}");
    }
}
