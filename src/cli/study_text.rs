//! Parts of study files, for commands that are studies.

use program::kernels::Setting;
use rtl::chip::EMBEDDED;
use std::path::{Path, absolute};

/// As TOML.
pub fn quoted(text: &str) -> String {
    toml::Value::String(text.to_string()).to_string()
}

/// A list as TOML.
pub fn quoted_list(texts: &[String]) -> String {
    let all: Vec<_> = texts.iter().map(|text| quoted(text)).collect();
    format!("[{}]", all.join(", "))
}

/// A configuration as a file in `folder` names it.
pub fn named_from(folder: &Path, config: &Path) -> String {
    let name = config.display().to_string();
    let is_shipped = EMBEDDED.iter().any(|(file, _)| file.trim_end_matches(".toml") == name.trim_end_matches(".toml"));
    match folder.as_os_str().is_empty() || is_shipped {
        true => name,
        false => absolute(config).map_or(name, |path| path.display().to_string()),
    }
}

/// A kernel, its size and what is set of its parameters.
pub fn kernel_table(name: &str, size: Option<u32>, params: &[Setting]) -> String {
    let size = size.map_or(String::new(), |size| format!("\nsize = {size}"));
    let params: Vec<_> = params.iter().map(|Setting { name, value }| format!("{name} = {value}")).collect();
    let params = if params.is_empty() { String::new() } else { format!("\nparams = {{ {} }}", params.join(", ")) };
    format!("\n[[kernel]]\nname = {}{size}{params}", quoted(name))
}
