//! What every export of Verilog has, of a chip as of a block: its options, its list of memory modules, and what is said where it fails.

use super::Failure;
use verilog::{ExportError, ExportOptions, MACROS, Macro, SRAM_BITS, macros_csv};

/// For what `command` writes; memories of at least `sram_bits` become modules.
pub fn export_options(command: &str, sram_bits: Option<u64>) -> ExportOptions {
    let memories = match sram_bits {
        Some(SRAM_BITS) => String::new(),
        bits => format!(" --sram-bits {}", bits.unwrap_or(0)),
    };
    ExportOptions { command: format!("warpmesh {command}{memories}"), sram_bits, ..ExportOptions::default() }
}

/// The list of memory modules, where there are any: a file beside those of the design.
pub fn macros_file(macros: &[Macro]) -> Option<(String, String)> {
    (!macros.is_empty()).then(|| (MACROS.to_string(), macros_csv(macros)))
}

/// What a person reads of an export that could not be written.
pub fn failure(error: ExportError) -> Failure {
    match error {
        ExportError::Foreign(folder) => Failure::input_message(
            format!("{} holds files, and they are no earlier export", folder.display()),
            "choose another folder, or --force to write into this one",
        ),
        ExportError::Taken(_) => {
            Failure::input_message(error, "choose another folder, or --force to replace that file")
        }
        ExportError::Io { .. } => Failure::input_message(error, "--out DIR names a folder that can be written"),
        ExportError::Broken(_) => {
            let help =
                "this is a mistake of warpmesh: please report it with the configuration (`warpmesh check` shows it)";
            Failure { code: 1, ..Failure::input_message(error, help) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use verilog::Fault;

    #[test]
    fn a_broken_export_is_a_mistake_of_ours() {
        let fault = |line| Fault { file: "fifo.v".into(), line, message: "`words` is not declared before this".into() };
        let failure = failure(ExportError::Broken((1..8).map(fault).collect()));
        insta::assert_snapshot!(format!("{:?}", failure.reports.first().expect("a message")));
        assert_eq!(failure.code, 1);
    }
}
