//! Outcomes as tests make them up.

use super::{
    DesignResult, Mean, StudyOutcome, TableKind,
    axis::{self, DesignPoint, digits},
    figures::Figures,
    outcome::AxisResult,
};
use std::collections::BTreeMap;

/// Kernels on all combinations of these axes, or on one design; IPC and area rise from design to design.
pub(super) fn outcome(axes: &[(&str, &[&str])], kernels: usize) -> StudyOutcome {
    let lens: Vec<u64> = axes.iter().map(|(_, values)| values.len() as u64).collect();
    let design = |number: u64| {
        let at = digits(number, &lens);
        let words = axes
            .iter()
            .zip(&at)
            .map(|((key, values), at)| format!("{}={}", key.rsplit('.').next().unwrap_or(key), values[*at]));
        let of_kernel = |kernel: usize| {
            let numbers = [
                ("ipc", (number + 1) as f64 * 10.0 + kernel as f64),
                ("chip_mm2", 50.0 + number as f64),
                ("chip_w", 9.0 + 0.5 * (number + kernel as u64) as f64),
            ];
            Some(Figures {
                numbers: numbers.into_iter().map(|(name, value)| (name.to_string(), value)).collect(),
                verdict: None,
            })
        };
        DesignResult {
            name: if axes.is_empty() { "one".into() } else { words.collect::<Vec<_>>().join(" ") },
            values: vec![Some(1.0); kernels],
            ratios: vec![Some(1.0); kernels],
            means: vec![Some(1.0)],
            point: (!axes.is_empty()).then_some(DesignPoint { of: None, at }),
            parameters: BTreeMap::new(),
            figures: (0..kernels).map(of_kernel).collect(),
        }
    };
    let names: Vec<String> = (0..kernels).map(|kernel| format!("kernel{kernel}")).collect();
    StudyOutcome {
        format_version: 1,
        title: "title".into(),
        about: String::new(),
        sensitivity: false,
        metric: "speed".into(),
        mean: Mean::default(),
        baseline: "one".into(),
        kernels: names.clone(),
        groups_of: vec![String::new(); kernels],
        groups: vec![],
        seed: 1,
        seeds: 1,
        axes: axes
            .iter()
            .map(|(key, values)| AxisResult {
                keys: vec![key.to_string()],
                units: vec![axis::unit(key).into()],
                points: values.iter().map(|value| vec![value.to_string()]).collect(),
            })
            .collect(),
        notes: vec![],
        designs: (0..lens.iter().product()).map(design).collect(),
        claims: vec![],
        failures: vec![],
        table: TableKind::Figures,
        series: names,
    }
}
