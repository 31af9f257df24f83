//! How much memory is left on this machine, as Linux tells it.

use std::fs::read_to_string;

/// Bytes that this process may still take; `None` where the system does not tell. The least of what the machine has
/// left (with swap) and what the control group of the process has.
pub fn left() -> Option<u64> {
    let machine = read_to_string("/proc/meminfo").ok().and_then(|text| of_machine(&text));
    let group = read_to_string("/proc/self/cgroup").ok().and_then(|text| of_group(&text));
    machine.into_iter().chain(group).min()
}

fn of_machine(text: &str) -> Option<u64> {
    let kilobytes = |name: &str| -> Option<u64> {
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    let all = kilobytes("MemAvailable:")?.checked_add(kilobytes("SwapFree:").unwrap_or(0))?;
    all.checked_mul(1024)
}

/// Control groups of version 2; those of version 1 are not looked at.
fn of_group(text: &str) -> Option<u64> {
    let group = text.lines().find_map(|line| line.strip_prefix("0::"))?;
    let number = |name: &str| -> Option<u64> {
        read_to_string(format!("/sys/fs/cgroup{group}/{name}")).ok()?.trim().parse().ok()
    };
    number("memory.max")?.checked_sub(number("memory.current")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_and_swap_are_read_and_garbage_is_not() {
        assert_eq!(of_machine("MemTotal: 9 kB\nMemAvailable:   100 kB\nSwapFree: 20 kB\n"), Some(120 * 1024));
        assert_eq!(of_machine("MemAvailable: 100 kB\n"), Some(100 * 1024));
        for text in ["", "MemAvailable: 12", "MemAvailable: many kB", "MemAvailable: 99999999999999999999 kB"] {
            assert_eq!(of_machine(text), None, "{text}");
        }
        assert_eq!(of_group("1:cpu:/\n"), None);
        assert!(!cfg!(target_os = "linux") || left().is_some());
    }
}
