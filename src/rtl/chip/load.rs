//! Reading a configuration: layers of TOML, each checked where it stands, merged into one [`ChipConfig`].
//!
//! ```text
//! defaults <- base of the base ... <- base <- file <- each -P path=value      (later layers win, key by key)
//! ```
//!
//! Every layer is checked by itself, so that an error points into the text that is wrong: keys against the keys of the
//! defaults ([`keys`]), values against the types ([`values`]). Each value remembers where it came from, so that a value
//! found impossible later, by [`Chip`], is shown in its file too, or the value with which it does not go
//! ([`conflict`]), and a key that has no effect is found ([`idle`]), and a value beyond which nothing changes
//! ([`saturated`]).

mod conflict;
mod idle;
mod keys;
mod renamed;
mod saturated;
mod values;

use super::{
    Chip, ChipConfig, ChipError,
    shipped::{ConfigSource, find, names_near, shipped},
    validate::in_ranges,
};
use common::{
    files::{TOML_LIMIT, read_text},
    parameters::{Parameter, Parameters},
    place::Excerpt,
    short::{LONGEST_HELP, LONGEST_MESSAGE, brief, shortened},
};
use conflict::Conflict;
use idle::Writer;
pub use idle::{idle_keys, to_toml};
use miette::{Diagnostic, SourceSpan};
pub use renamed::{RENAMED_KEYS, RENAMED_VALUES};
pub use saturated::{Saturated, saturated_values};
use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, PoisonError},
};
use toml_edit::{Document, TableLike};
use tracing::warn;

/// All that a configuration may say.
static PARAMETERS: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let mut all = vec![];
    ChipConfig::describe("", &mut all);
    all
});

/// The last part of a path.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// A configuration that cannot be used, with the place in its text.
#[derive(Debug, thiserror::Error, Diagnostic)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read config `{}`: {cause}", shortened(&path.display().to_string()))]
    #[diagnostic(help("{}", names_near(&file_name(path))))]
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
    #[error("{}: {message}", place(excerpt))]
    Wrong {
        /// What is wrong.
        message: String,
        /// The text around it.
        #[source_code]
        excerpt: Arc<Excerpt>,
        /// Where in it.
        #[label("{label}")]
        span: SourceSpan,
        /// Short form, at the place.
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

fn span_of_base(text: &Text) -> Range<usize> {
    let document = Document::parse(text.text.as_str()).ok();
    document.and_then(|document| document.get("base")?.span()).unwrap_or(0..0)
}

/// How the text of an override is called in messages; its value follows.
const OVERRIDE: &str = "-P ";

fn override_name(written: &str) -> String {
    format!("{OVERRIDE}{}", shortened(written))
}

/// `file:line:column` of a mistake; an override is one line and its own place.
fn place(excerpt: &Excerpt) -> String {
    if excerpt.name().starts_with(OVERRIDE) {
        return excerpt.name().to_string();
    }
    format!("{}:{}:{}", excerpt.name(), excerpt.line(), excerpt.column())
}

/// A layer's text, and how it is called in messages.
#[derive(Debug)]
struct Text {
    name: String,
    text: String,
}

/// A merged configuration and where its values came from.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The merged configuration.
    pub config: ChipConfig,
    origins: HashMap<String, WrittenAt>,
    states: States,
    layers: Vec<conflict::Layer>,
}

/// Where a value was written.
#[derive(Clone, Debug)]
struct WrittenAt {
    text: Arc<Text>,
    /// The key.
    key: Range<usize>,
    /// The value.
    span: Range<usize>,
    writer: Writer,
}

/// The configuration, merged so far.
#[derive(Clone, Debug, Default)]
struct States {
    /// All shipped configurations.
    shipped: toml::Table,
    /// All files, without overrides.
    files: toml::Table,
    /// Everything.
    all: toml::Table,
}

/// Reads `config` (a file, the name of an embedded config, or `None` for the default chip), applies `overrides`
/// (`path=value`, as `-P` takes them) and validates the result. Warns of keys without effect that come from a base file.
pub fn load(config: Option<&Path>, overrides: &[String]) -> Result<Chip, ConfigError> {
    let loaded = read(config, overrides)?;
    in_ranges(&loaded.config).map_err(|error| loaded.locate(error))?;
    let warnings = loaded.warnings()?;
    let chip = Chip::new(&loaded.config).map_err(|error| loaded.locate(error))?;
    warnings.into_iter().for_each(warn_once);
    Ok(chip)
}

/// Warns of something that may be found many times: a study loads a chip for each of its runs.
fn warn_once(warning: String) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.contains(&warning) {
        warn!("{warning}");
        said.insert(warning);
    }
}

/// Reads and merges all layers, without validating the values together.
pub fn read(config: Option<&Path>, overrides: &[String]) -> Result<Loaded, ConfigError> {
    let mut layers = Layers::new();
    if let Some(path) = config {
        layers.named(path, None, &mut vec![])?;
    }
    for text in overrides {
        layers.override_with(text)?;
    }
    layers.finish()
}

impl Loaded {
    /// Points an error at the text that set the value, or at what was written after it and does not go with it.
    pub fn locate(&self, error: ChipError) -> ConfigError {
        let origin = self.origins.get(&error.path);
        let written = origin.map(|WrittenAt { text, span, .. }| (text, span));
        if let Some(conflict) = conflict::conflict(&self.layers, &error, written) {
            return self.conflicting(&conflict, &error);
        }
        match origin {
            Some(WrittenAt { text, span, .. }) => {
                let message = format!("invalid value {} for {}", error.value, error.path);
                wrong(text, span.clone(), message, "this value", Some(format!("allowed: {}", error.allowed)))
            }
            None => ConfigError::Chip(error),
        }
    }

    /// The error of values that do not go with one that was there before.
    fn conflicting(&self, conflict: &Conflict, error: &ChipError) -> ConfigError {
        let Conflict { values, last, other } = conflict;
        let ChipError { path, value, allowed } = error;
        // A value may be a table, whose parts have places.
        let inside = |key: &String| key.strip_prefix(last).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
        let place = self.origins.iter().filter(|(key, _)| inside(key)).min_by_key(|(_, origin)| origin.span.start);
        let Some((_, WrittenAt { text, span, .. })) = place else { return ConfigError::Chip(error.clone()) };
        let values = values.join(" and ");
        let of_part = ["network"].contains(&path.as_str());
        let message = match (of_part, conflict.values.len()) {
            (true, _) => format!("{values}: the {path} is impossible"),
            (_, 1) => format!("{values} does not go with {path} = {value}"),
            _ => format!("{values} do not go with {path} = {value}"),
        };
        let from = other.as_ref().map_or("by default".to_string(), |(text, span)| {
            format!("in {}", self::place(&Excerpt::new(&text.name, &text.text, span.clone())))
        });
        let help = if of_part { allowed.clone() } else { format!("{path} is {value} {from}; allowed: {allowed}") };
        wrong(text, span.clone(), message, "this value", Some(help))
    }
}

struct Layers {
    /// The defaults: shape of all legal keys.
    shape: toml::Table,
    merged: toml::Table,
    origins: HashMap<String, WrittenAt>,
    states: States,
    layers: Vec<conflict::Layer>,
}

impl Layers {
    fn new() -> Self {
        let shape = toml::Table::try_from(ChipConfig::default()).expect("the defaults are plain TOML values");
        let states = States { shipped: shape.clone(), files: shape.clone(), all: toml::Table::new() };
        Self { merged: shape.clone(), shape, origins: HashMap::new(), states, layers: vec![] }
    }

    /// Adds a configuration by name, its base first. `folder`: of the file that names it; `chain`: the files that lead here, and their names.
    fn named(
        &mut self,
        name: &Path,
        folder: Option<&Path>,
        chain: &mut Vec<(PathBuf, String)>,
    ) -> Result<(), ConfigError> {
        let path = match find(name, folder) {
            ConfigSource::Shipped(name, text) => return self.shipped(name, text, chain.is_empty()),
            ConfigSource::File(path) => path,
        };
        let text = match read_text(&path, TOML_LIMIT) {
            Ok(text) => text,
            Err(cause) => return Err(ConfigError::Unreadable { path, cause }),
        };
        let name = path.display().to_string();
        // The same file may be named in many ways.
        let file = path.canonicalize().unwrap_or_else(|_| path.clone());
        let writer = if chain.is_empty() { Writer::Own } else { Writer::Base };
        let seen = chain.iter().any(|(other, _)| *other == file);
        chain.push((file, name.clone()));
        if seen {
            let chain = chain.iter().map(|(_, name)| name.clone()).collect();
            return Err(ConfigError::BaseLoop { path, chain });
        }
        let text = Arc::new(Text { name, text });
        let layer = self.check(&text)?;
        if let Some(base) = base_of(&layer) {
            let folder = path.parent().unwrap_or(Path::new(""));
            self.named(Path::new(base), Some(folder), chain).map_err(|error| match error {
                ConfigError::Unreadable { path, cause } => {
                    let near = names_near(base);
                    let help = format!("a path relative to this file, or the name of a shipped configuration; {near}");
                    let message = format!("cannot read base `{}`: {cause}", path.display());
                    wrong(&text, span_of_base(&text), message, "here", Some(help))
                }
                error => error,
            })?;
        }
        self.merge(&text, layer, writer);
        Ok(())
    }

    /// Adds a shipped configuration, its base first, which is shipped, too. `own`: the command line names it.
    fn shipped(&mut self, name: &str, text: &str, own: bool) -> Result<(), ConfigError> {
        let text = Arc::new(Text { name: name.into(), text: text.into() });
        let layer = self.check(&text)?;
        if let Some(base) = base_of(&layer) {
            let (name, text) = shipped(Path::new(base)).expect("the base of what is shipped is shipped");
            self.shipped(name, text, false)?;
        }
        self.merge(&text, layer, if own { Writer::Own } else { Writer::Shipped });
        self.states.shipped = self.merged.clone();
        Ok(())
    }

    /// Adds a `path=value`. A value that is no TOML is taken as a string, so that `-P network.routing=yx` works.
    fn override_with(&mut self, written: &str) -> Result<(), ConfigError> {
        let name = override_name(written);
        let has_path = written.split_once('=').is_some_and(|(path, _)| !path.trim().is_empty());
        if !has_path || written.contains('\n') {
            let text = Arc::new(Text { name, text: written.to_string() });
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
        let text = Arc::new(Text { name, text });
        let layer = self.check(&text)?;
        if layer.contains_key("base") {
            let help = "name the configuration itself: warpmesh run small".to_string();
            return Err(wrong(&text, 0..4, "base cannot be overridden".into(), "not here", Some(help)));
        }
        self.merge(&text, layer, Writer::Override);
        Ok(())
    }

    /// Checks syntax, keys and types of one layer.
    fn check(&self, text: &Arc<Text>) -> Result<toml::Table, ConfigError> {
        let source = text.text.as_str();
        let document = Document::parse(source).map_err(|error| {
            let span = error.span().unwrap_or(0..0);
            wrong(text, span, error.message().trim().replace('\n', "; "), "here", None)
        })?;
        keys::check(text, document.as_table(), &self.shape)?;
        let canonical = values::canonical(text, document.as_table())?;
        // Field types: the same reader that reads the merged whole.
        toml::from_str::<ChipConfig>(&canonical.text).map_err(|error| {
            let span = canonical.origin(error.span().unwrap_or(0..0));
            let message = error.message().trim().replace("u32", "a number").replace("variant", "value");
            wrong(text, span, message, "this value", None)
        })?;
        Ok(toml::from_str(&canonical.text).expect("parsed above"))
    }

    fn merge(&mut self, text: &Arc<Text>, layer: toml::Table, writer: Writer) {
        let document = Document::parse(text.text.as_str()).expect("checked before");
        remember(text, writer, document.as_table(), "", &mut self.origins);
        self.layers.push(conflict::Layer::new(text, &layer, &self.shape));
        merge(&mut self.merged, layer);
        if writer != Writer::Override {
            self.states.files = self.merged.clone();
        }
    }

    fn finish(mut self) -> Result<Loaded, ConfigError> {
        self.merged.remove("base");
        self.states.all = self.merged.clone();
        let config = self.merged.try_into().expect("every layer has the types of the defaults");
        Ok(Loaded { config, origins: self.origins, states: self.states, layers: self.layers })
    }
}

/// The base that a layer names.
fn base_of(layer: &toml::Table) -> Option<&str> {
    layer.get("base").and_then(toml::Value::as_str).filter(|base| !base.is_empty())
}

fn wrong(text: &Arc<Text>, span: Range<usize>, message: String, label: &str, help: Option<String>) -> ConfigError {
    let excerpt = Excerpt::new(&text.name, &text.text, span);
    ConfigError::Wrong {
        message: brief(&message, LONGEST_MESSAGE),
        span: excerpt.span(),
        excerpt: Arc::new(excerpt),
        label: label.into(),
        help: help.map(|help| brief(&help, LONGEST_HELP)),
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

fn remember(
    text: &Arc<Text>,
    writer: Writer,
    table: &dyn TableLike,
    path: &str,
    origins: &mut HashMap<String, WrittenAt>,
) {
    for (name, item) in table.iter() {
        let full = joined(path, name);
        match item.as_table_like() {
            Some(inner) => remember(text, writer, inner, &full, origins),
            None => {
                let span = item.span().unwrap_or(0..0);
                let key = table.key(name).and_then(toml_edit::Key::span).unwrap_or(span.clone());
                origins.insert(full, WrittenAt { text: text.clone(), key, span, writer });
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
