//! The core's resources, scaled.

use super::ranges::ranges;
use crate::{ChipConfig, ChipError, error::invalid_value};

/// The configuration with the core's resources scaled.
pub(super) fn scaled(config: &ChipConfig) -> Result<ChipConfig, ChipError> {
    let mut scaled = config.clone();
    let core = &mut scaled.core;
    let percent = std::mem::replace(&mut core.scale_percent, 100);
    if percent == 100 {
        return Ok(scaled);
    }
    let refuse = |allowed: String| Err(invalid_value("core.scale_percent", percent, allowed));
    let resources = [
        ("core.warps", &mut core.warps),
        ("core.blocks", &mut core.blocks),
        ("core.register_file", &mut core.register_file),
        ("core.shared_bytes", &mut core.shared_bytes),
    ];
    for (path, value) in resources {
        if !(*value * percent).is_multiple_of(100) {
            return refuse(format!("a part that leaves {path} = {value} whole"));
        }
        *value = *value * percent / 100;
    }
    match ranges(&scaled) {
        Ok(()) => Ok(scaled),
        Err(ChipError { path, value, allowed }) => {
            refuse(format!("what leaves a legal chip: {path} would be {value}, allowed: {allowed}"))
        }
    }
}
