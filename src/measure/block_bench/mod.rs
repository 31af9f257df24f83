//! Single blocks at work: the folders of `testbenches/`, each a stimulus for a block of the [registry](rtl::registry).
//!
//! ```text
//!  testbench.toml --> Testbench --stimulus--> block in simulation --> Recording --> trace.snap (tests)
//!                                                                          '-----> testbench.v, rows.hex (`export --block`)
//! ```
//!
//! `testbenches/README.md` describes the format.

mod stimulus;
mod testbench;

pub use stimulus::Drive;
pub use testbench::{BlockBenchError, ParameterSetting, Testbench};

use include_dir::{Dir, include_dir};

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../testbenches");

/// The testbenches that the program carries: folder, and what is in `testbench.toml`; in the order of the names.
pub fn shipped() -> Vec<(&'static str, &'static str)> {
    let named = |folder: &'static Dir<'_>| {
        let file = folder.get_file(folder.path().join("testbench.toml"))?;
        Some((folder.path().to_str()?, file.contents_utf8()?))
    };
    let mut all: Vec<_> = FOLDER.dirs().filter_map(named).collect();
    all.sort_unstable();
    all
}
