//! The three readers that exported Verilog has to please: Verilator, Icarus and Yosys, all without a diagnostic.

use super::{
    export::{ExportError, ExportOptions, export, write_export},
    module::GUARD,
    verilog_file::VerilogFile,
};
use netlist::Design;
use std::{
    fmt, io,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicU64, Ordering},
};

/// Why a tool could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum ToolError {
    /// The tool is not installed (or not in the path).
    #[error("`{tool}` cannot be started: {cause}; it is needed to check exported Verilog (Debian package `{package}`)")]
    Missing {
        /// Command.
        tool: &'static str,
        /// Debian package that holds it.
        package: &'static str,
        /// What the system said.
        cause: io::Error,
    },
    /// The tool ended with an error.
    #[error("`{tool}` failed:\n{output}")]
    Failed {
        /// Command.
        tool: &'static str,
        /// All that it printed.
        output: String,
    },
    /// The export could not be written.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A working file could not be read or written.
    #[error("{path}: {cause}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
}

impl ToolError {
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |cause| Self::Io { path, cause }
    }
}

/// What one tool said about an export.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LintDiagnostic {
    /// The tool with its mode.
    pub tool: String,
    /// Its output.
    pub text: String,
}

impl fmt::Display for LintDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:\n{}", self.tool, self.text)
    }
}

/// Runs `command`; a tool that is not there is an error of its own.
pub(super) fn run(tool: &'static str, package: &'static str, command: &mut Command) -> Result<Output, ToolError> {
    command.output().map_err(|cause| ToolError::Missing { tool, package, cause })
}

/// Standard output and error together, and how the tool ended if a signal ended it: then it may have printed nothing.
pub(super) fn said(output: &Output) -> String {
    let end = if output.status.code().is_none() { format!("{}\n", output.status) } else { String::new() };
    format!("{}{}{end}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// Exports `design` and shows it to all three tools, with and without assertions; returns what they complain about (nothing,
/// when it is clean). A missing tool is an error.
pub fn lint(design: &Design) -> Result<Vec<LintDiagnostic>, ToolError> {
    lint_files(&export(design, &ExportOptions::default()), &design.top.name)
}

/// As [`lint`], with Verilator alone and without assertions: for large designs, whose blocks have pleased the others.
pub fn lint_quickly(design: &Design) -> Result<Vec<LintDiagnostic>, ToolError> {
    in_a_folder(&export(design, &ExportOptions::default()), |files, folder| {
        let mut judge = Judge::default();
        judge.verilator(files, &design.top.name, folder, None)?;
        Ok(judge.diagnostics)
    })
}

/// As [`lint`], for files that are exported already.
pub fn lint_files(files: &[VerilogFile], top: &str) -> Result<Vec<LintDiagnostic>, ToolError> {
    in_a_folder(files, |files, folder| lint_folder(files, top, folder))
}

/// Writes `files` to a folder of their own for as long as `judge` looks at them.
fn in_a_folder(
    files: &[VerilogFile],
    judge: impl FnOnce(&[VerilogFile], &Path) -> Result<Vec<LintDiagnostic>, ToolError>,
) -> Result<Vec<LintDiagnostic>, ToolError> {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let own = format!("lint-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    let folder = super::lockstep::workshop().join(own);
    write_export(files, &folder, true)?;
    let found = judge(files, &folder);
    std::fs::remove_dir_all(&folder).map_err(ToolError::io(&folder))?;
    found
}

/// Collects what the tools say.
#[derive(Default)]
struct Judge {
    diagnostics: Vec<LintDiagnostic>,
}

impl Judge {
    fn judge(&mut self, tool: &str, output: Output) {
        let text = said(&output);
        if !output.status.success() || !text.trim().is_empty() {
            self.diagnostics.push(LintDiagnostic { tool: tool.into(), text });
        }
    }

    fn verilator(
        &mut self,
        files: &[VerilogFile],
        top: &str,
        folder: &Path,
        define: Option<&str>,
    ) -> Result<(), ToolError> {
        let mut verilator = Command::new("verilator");
        verilator
            .current_dir(folder)
            .args(["--lint-only", "-Wall", "--top-module", top])
            .args(define)
            .args(names(files));
        let mode = if define.is_some() { "verilator, with assertions" } else { "verilator" };
        self.judge(mode, run("verilator", "verilator", &mut verilator)?);
        Ok(())
    }
}

fn names(files: &[VerilogFile]) -> Vec<String> {
    files.iter().map(|f| format!("{}.v", f.name)).collect()
}

fn lint_folder(files: &[VerilogFile], top: &str, folder: &Path) -> Result<Vec<LintDiagnostic>, ToolError> {
    let mut judge = Judge::default();
    let with_assertions = format!("-D{GUARD}");
    for (mode, define) in [("", None), (", with assertions", Some(with_assertions.as_str()))] {
        judge.verilator(files, top, folder, define)?;
        let mut icarus = Command::new("iverilog");
        icarus.current_dir(folder).args(["-Wall", "-g2005", "-o", "/dev/null", "-s", top]);
        icarus.args(define).args(names(files));
        judge.judge(&format!("iverilog{mode}"), run("iverilog", "iverilog", &mut icarus)?);
    }
    // Without the search for ROMs: in Yosys 0.23 it ends in a division by zero where later assignments make a `case` void.
    let script = format!(
        "read_verilog {}; hierarchy -check -top {top}; proc -norom; check -assert; select -assert-none t:$dlatch t:$dlatchsr",
        names(files).join(" ")
    );
    let mut yosys = Command::new("yosys");
    yosys.current_dir(folder).args(["-q", "-p", &script]);
    judge.judge("yosys", run("yosys", "yosys", &mut yosys)?);
    Ok(judge.diagnostics)
}
