//! A run report as a person reads it.

use super::{
    MemoryChecks, PrefetchUse, RunReport, SubnetworkUse, Verdict,
    words::{ReportRow, counted, grouped},
};
use std::fmt;

/// Groups of waiting warps that are shown; the JSON has all.
const SHOWN_GROUPS: usize = 8;

impl fmt::Display for RunReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} on {}: {}", self.kernel, self.config, headline(self.verdict, self.verified))?;
        if let Some(mismatch) = &self.mismatch {
            writeln!(f, "  {mismatch}")?;
        }
        if let MemoryChecks::NotCompleted { reason } = &self.memory_checks {
            writeln!(f, "  checks on memory were not completed: {reason}")?;
        }
        writeln!(f)?;
        for (title, rows) in self.sections().into_iter().filter(|(_, rows)| !rows.is_empty()) {
            for (i, (name, value, note)) in rows.iter().enumerate() {
                let title = if i == 0 { title } else { "" };
                let line = format!("  {title:<12}{name:<22}{value:>14}  {note}");
                writeln!(f, "{}", line.trim_end())?;
            }
            writeln!(f)?;
        }
        if !self.waiting.is_empty() {
            writeln!(f, "  Warps, and what they wait for:")?;
            for group in self.waiting.iter().take(SHOWN_GROUPS) {
                let (warps, pc, line) = (group.warps, group.pc, group.line);
                let (instruction, reason) = (&group.instruction, &group.reason);
                writeln!(f, "  {warps:>5} at {pc:#06x}, PTX line {line}, `{instruction}`: {reason}")?;
            }
            if self.waiting.len() > SHOWN_GROUPS {
                writeln!(f, "        and {} more places", self.waiting.len() - SHOWN_GROUPS)?;
            }
            writeln!(f)?;
        }
        write!(f, "  Behavioural, not hardware: {}.", self.behavioural.join("; "))
    }
}

/// How a run ended, in a few words.
pub(crate) fn headline(verdict: Verdict, verified: Option<bool>) -> &'static str {
    match (verdict, verified) {
        (Verdict::Completed, Some(true)) => "completed, result verified",
        (Verdict::Completed, Some(false)) => "completed, RESULT WRONG",
        (Verdict::Completed, None) => "completed (nothing to compare with)",
        (Verdict::CycleLimit, _) => "STOPPED at the cycle limit",
        (Verdict::TimeLimit, _) => "STOPPED at the time limit: all numbers are those up to there",
        (Verdict::Deadlocked, _) => "DEADLOCKED: nothing moves any more",
        (Verdict::Interrupted, _) => "INTERRUPTED: all numbers are those up to there",
    }
}

impl RunReport {
    /// Its rows under their titles.
    pub(crate) fn sections(&self) -> [(&'static str, Vec<ReportRow>); 5] {
        let row = |name: &str, value: String, note: String| (name.to_string(), value, note);
        let plain = |name: &str, value: u64| (name.to_string(), grouped(value), String::new());
        let share = |part: u64, whole: u64| match whole {
            0 => String::new(),
            _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
        };
        let latency = |mean: Option<f64>| mean.map_or("none".into(), |mean| format!("{mean:.1}"));
        let (noc, dram, clocks) = (&self.network, &self.dram, &self.clocks);
        // Whose cycles they are matters where clocks differ.
        let [of_cores, network_cycles, dram_cycle] = if clocks.domains() == ["clock"; 4] {
            [String::new(), "cycles".into(), "cycle".into()]
        } else {
            let [core, noc, dram, overlay] = clocks.megahertz();
            let overlays = if overlay == noc { String::new() } else { format!(", overlays {overlay}") };
            let of_cores = format!("at {core} MHz; network {noc}, DRAM {dram}{overlays} MHz");
            [of_cores, "network cycles".into(), "DRAM cycle".into()]
        };
        let mean_of = |max: u64, packets: u64| match packets {
            0 => "no packets".to_string(),
            _ => format!("{network_cycles} mean, {max} max, {}", counted(packets, "packet")),
        };
        let mut kernel = vec![
            row("threads", grouped(self.threads), format!("in {}", counted(self.blocks, "block"))),
            row("cycles", grouped(self.core_cycles), of_cores),
            row(
                "thread instructions",
                grouped(self.thread_instructions),
                format!("in {} warp instructions", grouped(self.warp_instructions)),
            ),
            row(
                "IPC",
                format!("{:.2}", self.ipc),
                format!(
                    "of {} on {} cores ({:.1} %)",
                    self.peak_ipc,
                    self.cores,
                    100.0 * self.ipc / self.peak_ipc.max(1.0)
                ),
            ),
        ];
        kernel.extend(self.issue.rows());
        let mut network = vec![
            row("request latency", latency(noc.request_latency), mean_of(noc.longest_request, noc.request_packets)),
            row("reply latency", latency(noc.reply_latency), mean_of(noc.longest_reply, noc.reply_packets)),
            plain("flits", noc.flits),
        ];
        if let Some(yx) = noc.yx_packets {
            let all = noc.request_packets + noc.reply_packets;
            network.push(row("YX packets", grouped(yx), format!("of {}, {}", grouped(all), share(yx, all))));
        }
        let with_links = noc.subnetworks.iter().enumerate().filter(|(_, subnetwork)| subnetwork.links > 0);
        for (i, SubnetworkUse { links, link_gb_per_s, flits, link_use }) in with_links {
            let several = noc.subnetworks.len() > 1;
            let name = if several { format!("link use, network {i}") } else { "link use".into() };
            let links = counted(*links as u64, "link");
            let of = format!("of {link_gb_per_s:.2} GB/s on {links}, {} flits over them", grouped(*flits));
            network.push(row(&name, format!("{:.1} %", 100.0 * link_use), of));
        }
        let mut memory = vec![];
        for (name, cache) in [
            ("L1", &self.l1d),
            ("instruction", &self.instruction_cache),
            ("constant", &self.constant_cache),
            ("texture", &self.texture_cache),
            ("L2", &self.l2),
        ] {
            let Some(cache) = cache else { continue };
            let misses = format!("{} misses, {} merged", grouped(cache.primary_misses), grouped(cache.merged_misses));
            let hits = share(cache.read_hits, cache.reads);
            let reads = format!("of {}, {hits}, {misses}", grouped(cache.reads));
            memory.push(row(&format!("{name} read hits"), grouped(cache.read_hits), reads));
            memory.extend(cache.prefetches.iter().map(PrefetchUse::row));
            if cache.writes == 0 && !["L1", "L2"].contains(&name) {
                continue;
            }
            let writes = format!("of {}, {} lines written back", grouped(cache.writes), grouped(cache.write_backs));
            memory.push(row(&format!("{name} write hits"), grouped(cache.write_hits), writes));
        }
        let has_caches = !memory.is_empty();
        if has_caches {
            memory.push(row("flush", grouped(self.flush_cycles), "cycles after the kernel".into()));
        }
        memory.extend([
            row("requests", grouped(dram.requests), format!("of them {}", counted(dram.writes, "write"))),
            row("row hits", grouped(dram.row_hits), share(dram.row_hits, dram.requests)),
            row(
                "bandwidth",
                format!("{:.2}", dram.bytes_per_cycle),
                format!(
                    "bytes a {dram_cycle}, {:.1} of {:.1} GB/s, DRAM utilisation {:.1} %{}",
                    dram.gb_per_s,
                    dram.peak_gb_per_s,
                    100.0 * dram.bandwidth_share,
                    dram.efficiency.map_or(String::new(), |share| format!(", efficiency {:.1} %", 100.0 * share))
                ),
            ),
        ]);
        if let Some(all) = self.memory.read_latency() {
            let [there, at, back] = [&self.memory.to_memory, &self.memory.at_memory, &self.memory.to_core]
                .map(|stage| format!("{:.1}", stage.mean.unwrap_or(0.0)));
            let stages = format!("{network_cycles} mean: {there} to memory, {at} there, {back} back");
            memory.push(row("read latency", format!("{all:.1}"), stages));
        }
        let sections = [
            ("Kernel", kernel),
            ("Network", network),
            (if has_caches { "Memory" } else { "DRAM" }, memory),
            ("Cost", self.cost.rows()),
        ];
        let [kernel, network, memory, cost] = sections;
        [kernel, network, memory, cost, ("Simulation", self.simulation.rows())]
    }
}
