//! What a configuration must be like.

use std::fmt::Display;

use super::{CoreConfig, FETCH_LATENCY, LINE_BYTES, MAX_MSHRS, MAX_THREADS, MAX_WARPS};
use crate::registry::{self, Stage};

/// A rule that a configuration breaks.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field} = {value}: {rule}")]
pub struct Violation {
    /// The field's name as in the TOML file.
    pub field: &'static str,
    /// The offending value.
    pub value: String,
    /// What is required instead.
    pub rule: String,
}

impl CoreConfig {
    /// Checks every `Requires:` above.
    ///
    /// # Errors
    /// All violations at once, in field order.
    pub fn validate(&self) -> Result<(), Vec<Violation>> {
        let mut v = Vec::new();
        let mut require = |ok: bool, field, value: &dyn Display, rule: &str| {
            if !ok {
                v.push(Violation { field, value: value.to_string(), rule: rule.into() });
            }
        };
        let power_of_two = |n: usize, min: usize, max: usize| n.is_power_of_two() && (min..=max).contains(&n);

        let slices_ok = matches!(self.slices, 1 | 2 | 4);
        require(
            (1..=MAX_WARPS).contains(&self.warps),
            "warps",
            &self.warps,
            &format!("must be 1 to {MAX_WARPS}"),
        );
        require(
            !slices_ok || self.warps.is_multiple_of(self.slices),
            "warps",
            &self.warps,
            &format!("must be a multiple of slices ({})", self.slices),
        );
        require(
            power_of_two(self.threads, 1, MAX_THREADS),
            "threads",
            &self.threads,
            "must be a power of two from 1 to 32",
        );
        require(slices_ok, "slices", &self.slices, "must be 1, 2 or 4");
        require(power_of_two(self.queue_depth, 2, 8), "queue_depth", &self.queue_depth, "must be 2, 4 or 8");
        let ways_ok = matches!(self.icache.ways, 1 | 2 | 4);
        require(ways_ok, "icache.ways", &self.icache.ways, "must be 1, 2 or 4");
        require(
            power_of_two(self.icache.bytes, LINE_BYTES * self.icache.ways.clamp(1, 4), 64 * 1024),
            "icache.bytes",
            &self.icache.bytes,
            "must be a power of two, from one 64-byte line a way to 65536",
        );
        require(
            power_of_two(self.local_mem_bytes, (8 * self.threads.min(MAX_THREADS)).max(64), 16 * 1024),
            "local_mem_bytes",
            &self.local_mem_bytes,
            "must be a power of two, at least 64 and 8 bytes a lane, at most 16384",
        );
        let ways_ok = matches!(self.dcache.ways, 1 | 2 | 4);
        require(ways_ok, "dcache.ways", &self.dcache.ways, "must be 1, 2 or 4");
        let line_a_way = LINE_BYTES * self.dcache.ways.clamp(1, 4);
        require(
            self.dcache.bytes == 0 || power_of_two(self.dcache.bytes, line_a_way, 64 * 1024),
            "dcache.bytes",
            &self.dcache.bytes,
            "must be 0 or a power of two, from one 64-byte line a way to 65536",
        );
        let banks_ok = matches!(self.cache_banks, 1 | 2 | 4);
        require(banks_ok, "cache_banks", &self.cache_banks, "must be 1, 2 or 4");
        let banks = if banks_ok { self.line_paths() } else { 1 };
        require(
            banks == 1 || self.dcache.bytes >= banks * line_a_way,
            "cache_banks",
            &self.cache_banks,
            &format!(
                "needs a data cache of one 64-byte line a way in each bank, {} bytes",
                banks * line_a_way
            ),
        );
        let most = 16.min(MAX_MSHRS / banks);
        require(
            (1..=most).contains(&self.mshrs),
            "mshrs",
            &self.mshrs,
            &format!("must be 1 to {most} with cache_banks = {banks}"),
        );
        require((1..=16).contains(&self.load_slots), "load_slots", &self.load_slots, "must be 1 to 16");
        require(
            matches!(self.register_banks, 0 | 2 | 4 | 8),
            "register_banks",
            &self.register_banks,
            "must be 0, 2, 4 or 8",
        );
        require((1..=4).contains(&self.collectors), "collectors", &self.collectors, "must be 1 to 4");
        require(matches!(self.div_bits, 1 | 2 | 4), "div_bits", &self.div_bits, "must be 1, 2 or 4");
        require(
            self.fpu_slow_lanes == 0 || power_of_two(self.fpu_slow_lanes, 1, self.threads),
            "fpu_slow_lanes",
            &self.fpu_slow_lanes,
            &format!("must be a power of two up to threads ({}), or 0 for all lanes at once", self.threads),
        );
        require(
            power_of_two(self.axi_data_bits, 32, 8 * LINE_BYTES),
            "axi_data_bits",
            &self.axi_data_bits,
            "must be 32, 64, 128, 256 or 512",
        );
        for (field, key, stage) in
            [("fetch", &self.fetch, Stage::Fetch), ("issue", &self.issue, Stage::Issue)]
        {
            let of_stage = registry::all().filter(|p| p.stages.contains(&stage));
            let valid: Vec<_> = of_stage.map(|p| p.key).collect();
            require(
                valid.contains(&key.as_str()),
                field,
                key,
                &format!("unknown {field} policy; valid ones are {}", valid.join(", ")),
            );
        }
        let unified = |key: &str| registry::find(key).is_some_and(|p| p.inside.is_some());
        if unified(&self.fetch) || unified(&self.issue) {
            require(
                self.fetch == self.issue,
                "fetch",
                &self.fetch,
                &format!("must be that of issue ({}): swas is one scheduler for both stages", self.issue),
            );
            require(
                self.slices == 1,
                "slices",
                &self.slices,
                "must be 1 under swas: one selection a cycle serves both stages",
            );
            require(
                self.queue_depth == FETCH_LATENCY + 1,
                "queue_depth",
                &self.queue_depth,
                &format!("must be {} under swas: the fetch latency and one", FETCH_LATENCY + 1),
            );
        }
        require(
            self.register_banks == 0 || self.unified().is_none(),
            "register_banks",
            &self.register_banks,
            "must be 0 under swas: the time of an operand is part of its order of issue",
        );
        require(
            !self.btfn || self.unified().is_none() && !self.oracle,
            "btfn",
            &"true",
            "must be false under swas and with oracle, which assume that no branch is predicted to be taken",
        );
        require(
            self.kaws_sharing != Some(true) || !slices_ok || self.slices > 1,
            "kaws_sharing",
            &"true",
            "needs 2 or 4 slices to share warps between",
        );
        if self.oracle {
            let known = registry::POLICIES.iter().filter(|p| p.may_have_oracles());
            let known: Vec<_> = known.map(|p| p.key).collect();
            require(
                known.contains(&self.unified().unwrap_or(&self.issue)),
                "oracle",
                &format!("true with issue = {}", self.issue),
                &format!("needs one of the issue policies {}", known.join(", ")),
            );
            require(self.trace_port, "oracle", &"true", "needs the trace port, which shows the counts");
        }
        if v.is_empty() {
            Ok(())
        } else {
            Err(v)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{BusKind, CacheConfig, DataCacheConfig};

    #[test]
    fn every_violation_is_reported_at_once() {
        let broken = CoreConfig {
            warps: 0,
            threads: 3,
            slices: 3,
            queue_depth: 5,
            icache: CacheConfig { bytes: 100, ways: 3 },
            local_mem_bytes: 17,
            dcache: DataCacheConfig { bytes: 192, ways: 5, write_back: true },
            cache_banks: 3,
            mshrs: 17,
            load_slots: 0,
            register_banks: 3,
            collectors: 5,
            div_bits: 3,
            div_fixed: true,
            btfn: true,
            fpu_slow_lanes: 3,
            fpu: false,
            fetch: "nosuch".into(),
            issue: "nosuch".into(),
            ipaws_recover: true,
            kaws_kernel_aware: true,
            kaws_sharing: Some(true),
            bus: BusKind::Axi4,
            axi_data_bits: 16,
            grid: true,
            oracle: false,
            counters: true,
            trace_port: true,
        };
        let fields: Vec<_> = broken.validate().unwrap_err().iter().map(|v| v.field).collect();
        assert_eq!(
            fields,
            [
                "warps",
                "threads",
                "slices",
                "queue_depth",
                "icache.ways",
                "icache.bytes",
                "local_mem_bytes",
                "dcache.ways",
                "dcache.bytes",
                "cache_banks",
                "mshrs",
                "load_slots",
                "register_banks",
                "collectors",
                "div_bits",
                "fpu_slow_lanes",
                "axi_data_bits",
                "fetch",
                "issue",
            ]
        );
    }

    #[test]
    fn swas_and_the_oracles_know_no_branch_prediction() {
        let swas = || "swas:lrr".to_owned();
        let plain = CoreConfig { btfn: true, ..CoreConfig::default() };
        assert_eq!(plain.validate(), Ok(()));
        let unified = CoreConfig { fetch: swas(), issue: swas(), ..plain.clone() };
        for cfg in [unified, CoreConfig { oracle: true, ..plain }] {
            let fields: Vec<_> = cfg.validate().unwrap_err().iter().map(|v| v.field).collect();
            assert_eq!(fields, ["btfn"]);
        }
    }

    #[test]
    fn as_many_warps_as_there_are_bits() {
        let limits = |warps| CoreConfig { warps, ..CoreConfig::default() }.validate().is_ok();
        assert_eq!([0, 1, 33, 64, 65].map(limits), [false, true, true, true, false]);
        let cfg = CoreConfig { warps: 64, threads: 32, slices: 4, ..CoreConfig::default() };
        assert_eq!((cfg.all_warps(), cfg.own_warps(3)), (u64::MAX, 0x8888_8888_8888_8888));
        assert_eq!((cfg.slice_of(62), cfg.rank_in_slice(62)), (2, 15));
        assert_eq!((cfg.wid_bits(), cfg.warp_count_bits(), cfg.block_warps()), (6, 7, 32));
    }
}
