//! Reading a configuration: layers of TOML, each checked where it stands, merged into one [`ChipConfig`].
//!
//! ```text
//! defaults <- base of the base ... <- base <- file <- each -P path=value      (later layers win, key by key)
//! ```
//!
//! Every layer is checked by itself, so that an error points into the text that is wrong: keys against the keys of the
//! defaults, values against the types. Each value remembers where it came from, so that a value found impossible later, by
//! [`Chip`], is shown in its file too.

use super::{Chip, ChipConfig, ChipError};
use crate::place::Place;
use miette::{Diagnostic, NamedSource, SourceSpan};
use std::{
    collections::HashMap,
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};
use toml_edit::{Document, TableLike};

macro_rules! embedded {
    ($($name:literal),* $(,)?) => {
        [$((concat!($name, ".toml"), include_str!(concat!("../../configs/", $name, ".toml")))),*]
    };
}

/// The configs that the program carries, by name: usable on the command line and as `base`.
pub const EMBEDDED: [(&str, &str); 40] = embedded![
    "default",
    "small",
    "baseline-tb-dor",
    "2x-bw",
    "cp-dor",
    "cp-dor-4vc",
    "cp-cr",
    "cp-cr-case3",
    "cp-cr-2i",
    "cp-cr-2e",
    "cp-cr-2p",
    "double-cp-cr",
    "double-cp-cr-dedicated",
    "double-cp-full",
    "dci",
    "dci-2vc",
    "dci-2p",
    "dci-2p-2vc",
    "dcie",
    "dcie-2p",
    "dcie-2p-row",
    "dcie-2p-column",
    "dcie-2p-scattered-1",
    "dcie-2p-tb",
    "dcie-cdr-2p-tb",
    "dcie-cdr-2p-row",
    "dcie-cdr-2p",
    "cp-cr-11x11",
    "torus",
    "torus-8",
    "ring-64",
    "butterfly",
    "crossbar",
    "crossbar-10x8",
    "crossbar-10x8-24",
    "baseline-8x8",
    "flattened-butterfly",
    "cmesh",
    "cmesh-express",
    "ideal",
];

/// A configuration that cannot be used, with the place in its text.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read config `{}`: {cause}", path.display())]
    #[diagnostic(help("embedded configs: {}", embedded_names()))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: std::io::Error,
    },
    /// A file is its own base.
    #[error("config `{}` is its own base: {}", path.display(), chain.join(" -> "))]
    BaseLoop {
        /// The file.
        path: PathBuf,
        /// The way back to it.
        chain: Vec<String>,
    },
    /// The text, a key or a value is wrong.
    #[error("{}: {message}", place(text, *span))]
    Wrong {
        /// What is wrong.
        message: String,
        /// The text.
        #[source_code]
        text: Arc<NamedSource<String>>,
        /// Where in it.
        #[label("{label}")]
        span: SourceSpan,
        /// Short form, beside the place.
        label: String,
        /// What would be right.
        #[help]
        help: Option<String>,
    },
    /// A value that nobody wrote is impossible (a default together with other values).
    #[error(transparent)]
    #[diagnostic(transparent)]
    Chip(ChipError),
}

fn span_of_base(text: &NamedSource<String>) -> Range<usize> {
    let document = Document::parse(text.inner().as_str()).ok();
    document.and_then(|document| document.get("base")?.span()).unwrap_or(0..0)
}

fn embedded_names() -> String {
    EMBEDDED.map(|(name, _)| name).join(", ")
}

/// How the text of an override is called in messages; its value follows.
const OVERRIDE: &str = "-P ";

/// `file:line:column` of a span's start; an override is one line and its own place.
fn place(text: &NamedSource<String>, span: SourceSpan) -> String {
    if text.name().starts_with(OVERRIDE) {
        return text.name().to_string();
    }
    let Place { line, column, .. } = Place::of(text.inner(), span.offset()..span.offset());
    format!("{}:{line}:{column}", text.name())
}

/// A merged configuration and where its values came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The merged configuration.
    pub config: ChipConfig,
    origins: HashMap<String, Origin>,
}

#[derive(Clone, Debug)]
struct Origin {
    text: Arc<NamedSource<String>>,
    span: Range<usize>,
}

/// Reads `config` (a file, the name of an embedded config, or `None` for the default chip), applies `overrides`
/// (`path=value`, as `-P` takes them) and validates the result.
pub fn load(config: Option<&Path>, overrides: &[String]) -> Result<Chip, ConfigError> {
    let loaded = read(config, overrides)?;
    Chip::new(&loaded.config).map_err(|error| loaded.locate(error))
}

/// Reads and merges all layers, without validating the values together.
pub fn read(config: Option<&Path>, overrides: &[String]) -> Result<Loaded, ConfigError> {
    let mut layers = Layers::new();
    if let Some(path) = config {
        layers.file(path, None, &mut vec![])?;
    }
    for text in overrides {
        layers.override_with(text)?;
    }
    layers.finish()
}

impl Loaded {
    /// Points an error at the text that set the value, if any did.
    pub fn locate(&self, error: ChipError) -> ConfigError {
        match self.origins.get(&error.path) {
            Some(Origin { text, span }) => ConfigError::Wrong {
                message: format!("{} = {} is impossible", error.path, error.value),
                text: text.clone(),
                span: span.clone().into(),
                label: "this value".into(),
                help: Some(format!("allowed: {}", error.allowed)),
            },
            None => ConfigError::Chip(error),
        }
    }
}

struct Layers {
    /// The defaults: shape of all legal keys.
    shape: toml::Table,
    merged: toml::Table,
    origins: HashMap<String, Origin>,
}

impl Layers {
    fn new() -> Self {
        let shape = toml::Table::try_from(ChipConfig::default()).expect("the defaults are plain TOML values");
        Self { merged: shape.clone(), shape, origins: HashMap::new() }
    }

    /// Adds a file, its base first. `from` is the directory of the file that names it as base.
    fn file(&mut self, path: &Path, from: Option<&Path>, chain: &mut Vec<String>) -> Result<(), ConfigError> {
        let beside = from.map_or_else(|| path.to_path_buf(), |directory| directory.join(path));
        let embedded = EMBEDDED.iter().find(|(name, _)| Path::new(name) == path);
        let text = match (std::fs::read_to_string(&beside), embedded) {
            (Ok(text), _) => text,
            (Err(_), Some((_, text))) => text.to_string(),
            (Err(cause), None) => return Err(ConfigError::Unreadable { path: beside, cause }),
        };
        let name = beside.display().to_string();
        let seen = chain.contains(&name);
        chain.push(name.clone());
        if seen {
            return Err(ConfigError::BaseLoop { path: beside, chain: chain.clone() });
        }
        let text = Arc::new(NamedSource::new(name, text).with_language("TOML"));
        let layer = self.check(&text)?;
        if let Some(base) = layer.get("base").and_then(toml::Value::as_str).filter(|base| !base.is_empty()) {
            self.file(Path::new(base), beside.parent(), chain).map_err(|error| match error {
                ConfigError::Unreadable { path, cause } if !path.exists() => {
                    let help = format!("a path relative to this file, or one of {}", embedded_names());
                    wrong(
                        &text,
                        span_of_base(&text),
                        format!("cannot read base `{}`: {cause}", path.display()),
                        "here",
                        Some(help),
                    )
                }
                error => error,
            })?;
        }
        self.merge(&text, layer)
    }

    /// Adds a `path=value`. A value that is no TOML is taken as a string, so that `-P network.routing=yx` works.
    fn override_with(&mut self, written: &str) -> Result<(), ConfigError> {
        let has_path = written.split_once('=').is_some_and(|(path, _)| !path.trim().is_empty());
        if !has_path || written.contains('\n') {
            let text = Arc::new(NamedSource::new(format!("{OVERRIDE}{written}"), written.to_string()));
            let help = "an override is written PATH=VALUE, e.g. -P network.vcs=8".to_string();
            let end = written.len();
            return Err(wrong(&text, end..end, "there is no PATH=VALUE".into(), "here", Some(help)));
        }
        let quoted = |value: &str| toml::Value::String(value.trim().to_string()).to_string();
        let text = match written.split_once('=') {
            Some((path, value)) if toml::from_str::<toml::Table>(&format!("v = {value}")).is_err() => {
                format!("{} = {}", path.trim(), quoted(value))
            }
            _ => written.to_string(),
        };
        let text = Arc::new(NamedSource::new(format!("{OVERRIDE}{written}"), text).with_language("TOML"));
        let layer = self.check(&text)?;
        if layer.contains_key("base") {
            let help = "name the configuration itself: warpmesh run small".to_string();
            return Err(wrong(&text, 0..4, "base cannot be overridden".into(), "not here", Some(help)));
        }
        self.merge(&text, layer)
    }

    /// Checks syntax, keys and types of one layer.
    fn check(&self, text: &Arc<NamedSource<String>>) -> Result<toml::Table, ConfigError> {
        let source = text.inner().as_str();
        let document = Document::parse(source).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            wrong(text, span, error.message().trim().replace('\n', "; "), "here", None)
        })?;
        check_keys(text, document.as_table(), &self.shape, "")?;
        // Field types and enum names: the same reader that reads the merged whole.
        toml::from_str::<ChipConfig>(source).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            let message = error.message().trim().replace("u32", "a number from 0").replace("variant", "value");
            wrong(text, span, message, "this value", None)
        })?;
        Ok(toml::from_str(source).expect("parsed above"))
    }

    fn merge(&mut self, text: &Arc<NamedSource<String>>, layer: toml::Table) -> Result<(), ConfigError> {
        let document = Document::parse(text.inner().as_str()).expect("checked before");
        remember(text, document.as_table(), "", &mut self.origins);
        merge(&mut self.merged, layer);
        Ok(())
    }

    fn finish(mut self) -> Result<Loaded, ConfigError> {
        self.merged.remove("base");
        let config = self.merged.try_into().expect("every layer has the types of the defaults");
        Ok(Loaded { config, origins: self.origins })
    }
}

fn wrong(
    text: &Arc<NamedSource<String>>,
    span: Range<usize>,
    message: String,
    label: &str,
    help: Option<String>,
) -> ConfigError {
    ConfigError::Wrong { message, text: text.clone(), span: span.into(), label: label.into(), help }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

/// Every key of `table` is one of `shape`; tables stand where tables are expected.
fn check_keys(
    text: &Arc<NamedSource<String>>,
    table: &dyn TableLike,
    shape: &toml::Table,
    path: &str,
) -> Result<(), ConfigError> {
    for (name, item) in table.iter() {
        let full = joined(path, name);
        if full == "base" {
            continue;
        }
        let at = || {
            let key = table.key(name).and_then(toml_edit::Key::span);
            key.or_else(|| item.span()).unwrap_or(0..0)
        };
        let expected = shape.get(name).ok_or_else(|| {
            let help = nearest(name, path, shape);
            wrong(text, at(), format!("unknown key `{full}`"), "no such key", Some(help))
        })?;
        match (expected, item.as_table_like()) {
            (toml::Value::Table(inner), Some(table)) => check_keys(text, table, inner, &full)?,
            (toml::Value::Table(_), None) => {
                return Err(wrong(text, at(), format!("`{full}` is a table"), "not a table", None));
            }
            _ => {}
        }
    }
    Ok(())
}

/// The legal key that is most like `name`, here or one table away, or all legal keys.
fn nearest(name: &str, path: &str, shape: &toml::Table) -> String {
    let here = shape.keys().map(|key| (strsim::jaro_winkler(name, key), key));
    match here.max_by(|a, b| a.0.total_cmp(&b.0)) {
        Some((likeness, key)) if likeness > 0.75 => format!("did you mean `{}`?", joined(path, key)),
        _ => format!("legal keys here: {}", shape.keys().map(String::as_str).collect::<Vec<_>>().join(", ")),
    }
}

fn remember(text: &Arc<NamedSource<String>>, table: &dyn TableLike, path: &str, origins: &mut HashMap<String, Origin>) {
    for (name, item) in table.iter() {
        let full = joined(path, name);
        match item.as_table_like() {
            Some(inner) => remember(text, inner, &full, origins),
            None => {
                let span = item.span().unwrap_or(0..0);
                origins.insert(full, Origin { text: text.clone(), span });
            }
        }
    }
}

fn merge(into: &mut toml::Table, layer: toml::Table) {
    for (key, value) in layer {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(value)) => merge(inner, value),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}
