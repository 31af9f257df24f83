//! Options of earlier versions: whoever gives one is told the name of today.

use program::kernels::Setting;

/// What `--knob` says.
pub fn renamed_knob(_: &str) -> Result<Setting, &'static str> {
    Err("`--knob` was renamed to `--kernel-param`")
}

/// What `--no-twins` says.
pub fn renamed_twins(_: &str) -> Result<bool, &'static str> {
    Err("`--no-twins` was renamed to `--no-intrinsics`")
}

/// What `--wave-launch` says.
pub fn renamed_wave_launch(_: &str) -> Result<u64, &'static str> {
    Err("`--wave-launch` was renamed to `--trace-launch`")
}
