//! How this program starts itself.

use common::program_file;
use std::process::Command;

/// This program again, without the settings of the environment, which would be those of the runs.
pub fn own_command() -> Result<Command, String> {
    let mut command = program_file::command().map_err(|error| error.to_string())?;
    let settings =
        std::env::vars_os().map(|(name, _)| name).filter(|name| name.to_string_lossy().starts_with("WARPMESH_"));
    settings.for_each(|name| _ = command.env_remove(name));
    Ok(command)
}
