//! The steps of a run file, from what it says to what is done: names become indices, and everything is known to fit.

use super::super::compile::{Kernel, Param};
use super::super::launch::{Argument, Buffer, Launch, LaunchError, MEMORY_LIMIT};
use super::super::launch_file::{LaunchFileError, LaunchFileReader, short};
use super::format::{KernelSpec, StepSpec, UntilSpec};
use super::{
    Action, Arg, ArgValue, Closeness, Counter, ElementRange, Expected, LaunchStep, NamedElements, RunStep, Until,
};
use std::ops::Range;
use toml::{Spanned, Value};

/// Most rounds of a repetition.
const MAX_ROUNDS: u64 = 1_000_000;
/// Repetitions within each other.
const MAX_DEPTH: usize = 8;

/// What steps do, and the keys of each beside its first one.
const ACTIONS: [(&str, &[&str]); 6] = [
    ("launch", &["grid", "block", "args", "shared"]),
    ("copy", &["to", "to_index", "index", "count"]),
    ("fill", &["value", "index", "count"]),
    ("repeat", &["until", "counter", "start", "increment", "step"]),
    ("check", &["file", "against", "value", "absolute", "relative", "index", "count"]),
    ("dump", &["file", "index", "count"]),
];

type Result<T> = std::result::Result<T, LaunchFileError>;

/// A repetition around a step: the index of its counter, and its rounds.
#[derive(Clone, Copy)]
pub struct Around {
    counter: usize,
    times: u64,
}

/// Reads steps.
pub struct Steps<'a> {
    reader: &'a LaunchFileReader<'a>,
    names: &'a [KernelSpec],
    kernels: &'a [Kernel],
    buffers: Vec<Buffer>,
    places: &'a [NamedElements],
    counters: Vec<Counter>,
    /// Names of dumps so far.
    dumps: Vec<String>,
}

impl<'a> Steps<'a> {
    pub fn new(
        reader: &'a LaunchFileReader<'a>,
        names: &'a [KernelSpec],
        kernels: &'a [Kernel],
        buffers: Vec<Buffer>,
        places: &'a [NamedElements],
    ) -> Self {
        Self { reader, names, kernels, buffers, places, counters: vec![], dumps: vec![] }
    }

    /// Buffers and counters.
    pub fn finish(self) -> (Vec<Buffer>, Vec<Counter>) {
        (self.buffers, self.counters)
    }

    /// Reads steps within some repetitions.
    pub fn read(&mut self, specs: &[Spanned<StepSpec>], around: &[Around]) -> Result<Vec<RunStep>> {
        specs.iter().map(|spec| self.step(spec, around)).collect()
    }

    fn step(&mut self, spanned: &Spanned<StepSpec>, around: &[Around]) -> Result<RunStep> {
        let spec = spanned.get_ref();
        let (action, here) = self.action(spanned)?;
        let line = 1 + self.reader.toml.text.get(..here.start).map_or(0, |text| text.matches('\n').count());
        let action = match action {
            "launch" => self.launch(spec, here, around)?,
            "copy" => self.copy(spec, here)?,
            "fill" => {
                let part = self.part(spec.fill.as_ref(), spec, here.clone())?;
                let value = self.needed(spec.value.as_ref(), "fill", "value", here)?;
                Action::Fill { part, value: self.element(part.place, value)? }
            }
            "repeat" => self.repeat(spec, here, around)?,
            "check" => self.check(spec, here)?,
            _ => self.dump(spec, here, around)?,
        };
        Ok(RunStep { line, action })
    }

    /// What a step does, and where it says so. Keys that do not belong to that are refused.
    fn action(&self, spanned: &Spanned<StepSpec>) -> Result<(&'static str, Range<usize>)> {
        let given = keys(spanned.get_ref());
        let known = ACTIONS.map(|(action, _)| action).join(", ");
        let mut actions = ACTIONS.iter().filter_map(|(action, others)| {
            given.iter().find(|(key, _)| key == action).map(|(_, span)| (*action, *others, span.clone()))
        });
        let Some((action, others, here)) = actions.next() else {
            let message = "a step without anything to do".into();
            return Err(self.reader.mistake(spanned.span(), message, Some(format!("one of: {known}"))));
        };
        if let Some((other, _, span)) = actions.next() {
            let message = format!("one step cannot have both `{action}` and `{other}`");
            return Err(self.reader.mistake(span, message, Some("make two steps of it".into())));
        }
        if let Some((key, span)) = given.iter().find(|(key, _)| *key != action && !others.contains(key)) {
            let message = format!("key `{key}` has no effect in a step with `{action}`");
            return Err(self.reader.mistake(span.clone(), message, Some(format!("allowed: {}", others.join(", ")))));
        }
        Ok((action, here))
    }

    fn needed<'s, T>(&self, value: Option<&'s T>, action: &str, key: &str, here: Range<usize>) -> Result<&'s T> {
        value.ok_or_else(|| self.reader.mistake(here, format!("`{action}` needs the key `{key}`"), None))
    }

    /// The index of a name.
    fn find<'n>(
        &self,
        what: &str,
        name: &Spanned<String>,
        span: Range<usize>,
        mut names: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<usize> {
        let all: Vec<_> = names.clone().collect();
        names.position(|other| other == name.get_ref()).ok_or_else(|| {
            let help = if all.is_empty() { "there is none".into() } else { format!("{what}s: {}", all.join(", ")) };
            self.reader.mistake(span, format!("there is no {what} `{}`", name.get_ref()), Some(help))
        })
    }

    fn buffer(&self, name: &Spanned<String>) -> Result<usize> {
        self.find("buffer", name, name.span(), self.buffers.iter().map(|buffer| buffer.name.as_str()))
    }

    /// A buffer or a field.
    fn place(&self, name: &Spanned<String>) -> Result<usize> {
        self.find("buffer", name, name.span(), self.places.iter().map(|place| place.name.as_str()))
    }

    /// The part of a buffer that `index` and `count` say.
    fn part(&self, name: Option<&Spanned<String>>, spec: &StepSpec, here: Range<usize>) -> Result<ElementRange> {
        let place = self.place(self.needed(name, "a step", "buffer", here.clone())?)?;
        let NamedElements { name, elements, .. } = &self.places[place];
        let all = *elements as u64;
        let within = |value: &Option<Spanned<u64>>, default, key, low, high| match value {
            Some(value) if !(low..=high).contains(value.get_ref()) => {
                let message = format!("invalid value {} for `{key}`", value.get_ref());
                let help = format!("allowed: {low} to {high}; buffer `{name}` has {all} elements");
                Err(self.reader.mistake(value.span(), message, Some(help)))
            }
            value => Ok(value.as_ref().map_or(default, |value| *value.get_ref())),
        };
        let index = within(&spec.index, 0, "index", 0, all - 1)?;
        let count = within(&spec.count, all - index, "count", 1, all - index)?;
        Ok(ElementRange { place, index: index as usize, count: count as usize })
    }

    /// A number as an element of a place.
    fn element(&self, place: usize, value: &Spanned<Value>) -> Result<Vec<u8>> {
        let NamedElements { ty, name, .. } = &self.places[place];
        ty.encode_toml(value.get_ref()).ok_or_else(|| {
            let (low, high) = ty.limits();
            let given = match value.get_ref() {
                Value::Float(float) => short(*float),
                other => other.to_string(),
            };
            let message = format!("{given} does not fit the type of buffer `{name}`");
            self.reader.mistake(value.span(), message, Some(format!("allowed: {low} to {high}")))
        })
    }

    fn copy(&self, spec: &StepSpec, here: Range<usize>) -> Result<Action> {
        let from = self.part(spec.copy.as_ref(), spec, here.clone())?;
        let name = self.needed(spec.to.as_ref(), "copy", "to", here)?;
        let to = self.place(name)?;
        let NamedElements { ty, elements, .. } = self.places[to];
        let index = spec.to_index.as_ref().map_or(0, |index| *index.get_ref());
        let bytes = from.count * self.places[from.place].ty.bytes();
        let span = spec.to_index.as_ref().map_or(name.span(), Spanned::span);
        if !bytes.is_multiple_of(ty.bytes()) {
            let message = format!("{bytes} bytes are no whole elements of `{}`", name.get_ref());
            return Err(self.reader.mistake(name.span(), message, Some(format!("each has {} bytes", ty.bytes()))));
        }
        let count = bytes / ty.bytes();
        if index.saturating_add(count as u64) > elements as u64 {
            let message = format!("{count} elements from element {index} on are more than `{}` has", name.get_ref());
            return Err(self.reader.mistake(span, message, Some(format!("it has {elements} elements"))));
        }
        Ok(Action::Copy { from, to: ElementRange { place: to, index: index as usize, count } })
    }

    fn repeat(&mut self, spec: &StepSpec, here: Range<usize>, around: &[Around]) -> Result<Action> {
        let times = spec.repeat.as_ref().map_or(0, |times| *times.get_ref());
        if !(1..=MAX_ROUNDS).contains(&times) {
            let message = format!("invalid value {times} for `repeat`");
            return Err(self.reader.mistake(here, message, Some(format!("allowed: 1 to {MAX_ROUNDS}"))));
        }
        if around.len() >= MAX_DEPTH {
            let message = format!("more than {MAX_DEPTH} repetitions within each other");
            return Err(self.reader.mistake(here, message, None));
        }
        if spec.step.is_empty() {
            let help = "add steps: [[step.step]]";
            return Err(self.reader.mistake(here, "`repeat` has no steps".into(), Some(help.into())));
        }
        let name = spec.counter.as_ref().map_or("", |counter| counter.get_ref());
        if let Some(counter) = &spec.counter {
            let well_formed = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
            if !well_formed || around.iter().any(|around| self.counters[around.counter].name == name) {
                let message = format!("`{name}` cannot be the name of this counter");
                let help = "allowed: letters, digits and `_`, and not the name of a counter around it";
                return Err(self.reader.mistake(counter.span(), message, Some(help.into())));
            }
        }
        let number = |value: &Option<Spanned<i64>>, default| value.as_ref().map_or(default, |value| *value.get_ref());
        for (key, value) in [("start", &spec.start), ("increment", &spec.increment)] {
            if let Some(value) = value.as_ref().filter(|_| spec.counter.is_none()) {
                let message = format!("key `{key}` has no effect without `counter`");
                return Err(self.reader.mistake(value.span(), message, None));
            }
        }
        let (start, increment) = (number(&spec.start, 0), number(&spec.increment, 1));
        let last = i128::from(start) + i128::from(increment) * i128::from(times);
        if i64::try_from(last).is_err() {
            let span = spec.increment.as_ref().or(spec.start.as_ref()).map_or(here, Spanned::span);
            return Err(self.reader.mistake(span, format!("the counter reaches {last}, beyond 64 bits"), None));
        }
        let until = spec.until.as_ref().map(|until| self.until(until.get_ref())).transpose()?;
        self.counters.push(Counter { name: name.into(), start, increment });
        let counter = self.counters.len() - 1;
        let steps = self.read(&spec.step, &[around, &[Around { counter, times }]].concat())?;
        Ok(Action::Repeat { times, until, counter, steps })
    }

    fn until(&self, spec: &UntilSpec) -> Result<Until> {
        let place = self.place(&spec.buffer)?;
        let index = spec.index.as_ref().map_or(0, |index| *index.get_ref());
        let last = self.places[place].elements as u64 - 1;
        if let Some(given) = spec.index.as_ref().filter(|_| index > last) {
            let message = format!("invalid value {index} for `index`");
            return Err(self.reader.mistake(given.span(), message, Some(format!("allowed: 0 to {last}"))));
        }
        let part = ElementRange { place, index: index as usize, count: 1 };
        Ok(Until { part, equals: self.element(place, &spec.equals)? })
    }

    fn check(&self, spec: &StepSpec, here: Range<usize>) -> Result<Action> {
        let mut part = self.part(spec.check.as_ref(), spec, here.clone())?;
        let ty = self.places[part.place].ty;
        for (key, value) in [("absolute", &spec.absolute), ("relative", &spec.relative)] {
            if let Some(value) = value
                && (!ty.is_float() || !value.get_ref().is_finite() || *value.get_ref() < 0.0)
            {
                let message = format!("`{key}` is a finite number of at least 0, and only for buffers of floats");
                return Err(self.reader.mistake(value.span(), message, None));
            }
        }
        let closeness = (spec.absolute.is_some() || spec.relative.is_some()).then(|| {
            let value = |value: &Option<Spanned<f64>>| value.as_ref().map_or(0.0, |value| *value.get_ref());
            Closeness { absolute: value(&spec.absolute), relative: value(&spec.relative) }
        });
        // How many elements there are to compare with, and what says so.
        let (expected, bytes, span) = match (&spec.file, &spec.against, &spec.value) {
            (Some(file), None, None) => {
                let data = self.reader.read(file, ty, MEMORY_LIMIT)?;
                let bytes = data.len();
                (Expected::Data(data), bytes, file.span())
            }
            (None, Some(name), None) => {
                let other = self.place(name)?;
                if self.places[other].ty != ty {
                    let message = format!("buffer `{}` is of another type", name.get_ref());
                    return Err(self.reader.mistake(name.span(), message, None));
                }
                (Expected::Place(other), self.places[other].elements * ty.bytes(), name.span())
            }
            (None, None, Some(value)) => {
                let value = self.element(part.place, value)?;
                return Ok(Action::Check { part, expected: Expected::Value(value), closeness });
            }
            _ => {
                let message = "`check` needs one of the keys `file`, `against` and `value`".into();
                return Err(self.reader.mistake(here, message, None));
            }
        };
        if bytes == 0 || !bytes.is_multiple_of(ty.bytes()) || bytes / ty.bytes() != part.count && spec.count.is_some() {
            let message = format!("{bytes} bytes to compare with, not {}", part.count * ty.bytes());
            return Err(self.reader.mistake(span, message, Some("whole elements, `count` of them".into())));
        }
        if bytes / ty.bytes() > part.count {
            let message = format!("{bytes} bytes to compare with, more than the {} there", part.count * ty.bytes());
            return Err(self.reader.mistake(span, message, None));
        }
        part.count = bytes / ty.bytes();
        Ok(Action::Check { part, expected, closeness })
    }

    fn dump(&mut self, spec: &StepSpec, here: Range<usize>, around: &[Around]) -> Result<Action> {
        let part = self.part(spec.dump.as_ref(), spec, here.clone())?;
        let file = self.needed(spec.file.as_ref(), "dump", "file", here)?;
        let name = file.get_ref();
        let refuse = |message: String, help: &str| Err(self.reader.mistake(file.span(), message, Some(help.into())));
        let allowed = |c: char| c.is_ascii_alphanumeric() || "._-{}".contains(c);
        if name.is_empty() || name.len() > 100 || name.starts_with('.') || !name.chars().all(allowed) {
            let help =
                "a name without folders, of letters, digits, `.`, `_`, `-`: it goes to the folder of --out, or here";
            return refuse(format!("`{name}` cannot be the name of a dump"), help);
        }
        let mut rest = name.clone();
        for around in around {
            let counter = &self.counters[around.counter];
            let place = format!("{{{}}}", counter.name);
            if counter.name.is_empty() || !rest.contains(&place) || counter.increment == 0 {
                let help = "each round writes a file of its own: counter = \"i\", file = \"name-{i}.npy\"";
                return refuse(format!("`{name}` has no counter of a repetition around it"), help);
            }
            rest = rest.replace(&place, "");
        }
        if rest.contains(['{', '}']) {
            return refuse(
                format!("`{name}` has braces without a counter"),
                "counters are those of repetitions around",
            );
        }
        if self.dumps.contains(name) || ["report.json", "report.txt", "config.toml"].contains(&name.as_str()) {
            return refuse(format!("there is another file `{name}`"), "choose another name");
        }
        self.dumps.push(name.clone());
        Ok(Action::Dump { part, file: name.clone() })
    }

    fn launch(&mut self, spec: &StepSpec, here: Range<usize>, around: &[Around]) -> Result<Action> {
        let name = self.needed(spec.launch.as_ref(), "a step", "launch", here.clone())?;
        let index =
            self.find("kernel", name, name.span(), self.names.iter().map(|kernel| kernel.name.get_ref().as_str()))?;
        let grid = self.needed(spec.grid.as_ref(), "launch", "grid", here.clone())?;
        let block = self.needed(spec.block.as_ref(), "launch", "block", here.clone())?;
        let given = self.needed(spec.args.as_ref(), "launch", "args", here)?;
        let mut kernel = self.kernels[index].clone();
        let shared = spec.shared.as_ref().map_or(0, |shared| *shared.get_ref());
        if let Some(shared) = &spec.shared
            && !kernel.set_dynamic_shared(*shared.get_ref())
        {
            let message =
                "`shared` is for dynamic shared memory, and the kernel declares none (`.extern .shared`)".into();
            return Err(self.reader.mistake(shared.span(), message, None));
        }
        let (mut values, mut arguments) = (Vec::new(), Vec::new());
        for (index, arg) in given.get_ref().iter().enumerate() {
            let (value, argument) = self.argument(arg, kernel.params.get(index), kernel.address_bits, around)?;
            values.push(value);
            arguments.push(argument);
        }
        let sizes = kernel.params.iter().map(|param| param.size as usize);
        let args = sizes.zip(values).map(|(size, value)| Arg { size, value }).collect();
        let (grid_xyz, block_xyz) = (grid.get_ref().xyz(), block.get_ref().xyz());
        // As if it were a launch of its own: whether everything fits is known there.
        let buffers = std::mem::take(&mut self.buffers);
        let launch = Launch {
            name: name.get_ref().clone(),
            kernel,
            grid: grid_xyz,
            block: block_xyz,
            buffers,
            args: arguments,
            checks: vec![],
            placement: None,
        };
        let valid = launch.validate();
        self.buffers = launch.buffers;
        valid.map_err(|error| {
            let span = match &error {
                LaunchError::ArgumentType { index, .. } | LaunchError::ArgumentRange { index, .. } => {
                    given.get_ref().get(*index).map_or(given.span(), Spanned::span)
                }
                LaunchError::ArgumentCount { .. } => given.span(),
                LaunchError::Shape { what: "grid", .. } => grid.span(),
                LaunchError::Shape { .. } => block.span(),
                _ => name.span(),
            };
            self.reader.mistake(span, error.to_string(), None)
        })?;
        let name = name.get_ref().clone();
        Ok(Action::Launch(LaunchStep { name, kernel: index, grid: grid_xyz, block: block_xyz, shared, args }))
    }

    /// An argument, and what a launch of its own would have there.
    fn argument(
        &self,
        arg: &Spanned<Value>,
        param: Option<&Param>,
        address_bits: u32,
        around: &[Around],
    ) -> Result<(ArgValue, Argument)> {
        let table = arg.get_ref().as_table();
        let text = |key: &str| table.and_then(|table| table.get(key)).and_then(Value::as_str);
        if let Some(name) = text("counter") {
            return self.counter(arg, name, param, around);
        }
        if let Some(name) = text("buffer") {
            let name = Spanned::new(arg.span(), name.to_string());
            let buffer = self.buffer(&name)?;
            let most = self.buffers[buffer].data.len() as i64;
            let offset = table.and_then(|table| table.get("offset")).map_or(Some(0), Value::as_integer);
            let known = table.is_some_and(|table| table.keys().all(|key| key == "buffer" || key == "offset"));
            let Some(offset) = offset.filter(|offset| known && (0..=most).contains(offset)) else {
                let message = format!("invalid place {} in buffer `{}`", arg.get_ref(), name.get_ref());
                let help = format!("{{ buffer = \"{}\", offset = N }}: bytes, 0 to {most}", name.get_ref());
                return Err(self.reader.mistake(arg.span(), message, Some(help)));
            };
            // A buffer alone is judged as one is.
            let plain = Spanned::new(arg.span(), Value::String(name.get_ref().clone()));
            let argument = self.reader.argument(&plain, &self.buffers, param, address_bits)?;
            return Ok((ArgValue::Pointer(buffer, offset as u64), argument));
        }
        let argument = self.reader.argument(arg, &self.buffers, param, address_bits)?;
        let value = match argument {
            Argument::Buffer(buffer) => ArgValue::Pointer(buffer, 0),
            Argument::Value(buffer) => ArgValue::Contents(buffer),
            Argument::Word(word) => ArgValue::Bits(i64::from(word as i32) as u64),
            Argument::Long(long) => ArgValue::Bits(long),
            Argument::Float(float) => ArgValue::Bits(float.to_bits().into()),
        };
        Ok((value, argument))
    }

    fn counter(
        &self,
        arg: &Spanned<Value>,
        name: &str,
        param: Option<&Param>,
        around: &[Around],
    ) -> Result<(ArgValue, Argument)> {
        let found = around.iter().find(|around| self.counters[around.counter].name == name);
        let alone = arg.get_ref().as_table().is_some_and(|table| table.len() == 1);
        let Some(found) = found.filter(|_| alone && !name.is_empty()) else {
            let names: Vec<_> = around.iter().map(|around| self.counters[around.counter].name.as_str()).collect();
            let help = format!("{{ counter = \"name\" }}; counters of repetitions around it: {}", names.join(", "));
            return Err(self.reader.mistake(arg.span(), format!("there is no counter `{name}`"), Some(help)));
        };
        let counter = &self.counters[found.counter];
        let last = counter.start + counter.increment * (found.times - 1) as i64;
        let Some(param) = param.filter(|param| !param.ty.is_float() && param.size <= 8) else {
            let message = format!("counter `{name}` does not fit the parameter: it is an integer");
            return Err(self.reader.mistake(arg.span(), message, None));
        };
        if param.size == 8 {
            return Ok((ArgValue::Counter(found.counter), Argument::Long(0)));
        }
        let range = param.range();
        if !range.contains(&counter.start) || !range.contains(&last) {
            let (from, ty) = (counter.start, param.ty);
            let message =
                format!("counter `{name}`, {from} to {last}, does not fit parameter `{}` of type .{ty}", param.name);
            let help = format!("allowed: {} to {}", range.start(), range.end());
            return Err(self.reader.mistake(arg.span(), message, Some(help)));
        }
        Ok((ArgValue::Counter(found.counter), Argument::Word(counter.start as u32)))
    }
}

/// The keys that a step gives, and where.
fn keys(spec: &StepSpec) -> Vec<(&'static str, Range<usize>)> {
    fn span<T>(value: &Option<Spanned<T>>) -> Option<Range<usize>> {
        value.as_ref().map(Spanned::span)
    }
    let all = [
        ("launch", span(&spec.launch)),
        ("grid", span(&spec.grid)),
        ("block", span(&spec.block)),
        ("args", span(&spec.args)),
        ("shared", span(&spec.shared)),
        ("copy", span(&spec.copy)),
        ("to", span(&spec.to)),
        ("to_index", span(&spec.to_index)),
        ("fill", span(&spec.fill)),
        ("value", span(&spec.value)),
        ("repeat", span(&spec.repeat)),
        ("until", span(&spec.until)),
        ("counter", span(&spec.counter)),
        ("start", span(&spec.start)),
        ("increment", span(&spec.increment)),
        ("step", spec.step.first().map(Spanned::span)),
        ("check", span(&spec.check)),
        ("file", span(&spec.file)),
        ("against", span(&spec.against)),
        ("absolute", span(&spec.absolute)),
        ("relative", span(&spec.relative)),
        ("dump", span(&spec.dump)),
        ("index", span(&spec.index)),
        ("count", span(&spec.count)),
    ];
    all.into_iter().filter_map(|(key, span)| Some((key, span?))).collect()
}
