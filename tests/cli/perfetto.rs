//! A reader of Perfetto's traces: `TracePacket`, `TrackDescriptor`, `TrackEvent` and `DebugAnnotation`, as their
//! definition in `perfetto/trace` numbers them.

use std::collections::BTreeMap;

/// A slice with those inside it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Slice {
    pub from: u64,
    pub until: u64,
    pub name: String,
    /// What is said of it: numbers as decimals.
    pub about: BTreeMap<String, String>,
    pub flows: Vec<u64>,
    pub inner: Vec<Slice>,
}

impl Slice {
    /// A number that is said of it.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.about.get(name).map(|text| text.parse().expect("a number"))
    }

    /// A text that is said of it.
    pub fn text(&self, name: &str) -> &str {
        self.about.get(name).map_or("", String::as_str)
    }
}

/// A field of a message.
enum Field<'b> {
    Number(u64),
    Bytes(&'b [u8]),
}

/// Fields of a message of protocol buffers, with their numbers.
fn fields(mut bytes: &[u8]) -> Vec<(u64, Field<'_>)> {
    fn number(bytes: &mut &[u8]) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let (&byte, rest) = bytes.split_first().expect("a whole number");
            *bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return number;
            }
        }
    }
    let mut fields = vec![];
    while !bytes.is_empty() {
        let key = number(&mut bytes);
        let value = match key & 7 {
            0 => Field::Number(number(&mut bytes)),
            1 => {
                let (content, rest) = bytes.split_at(8);
                bytes = rest;
                Field::Number(u64::from_le_bytes(content.try_into().expect("eight bytes")))
            }
            2 => {
                let length = number(&mut bytes) as usize;
                let (content, rest) = bytes.split_at(length);
                bytes = rest;
                Field::Bytes(content)
            }
            other => panic!("field {} is of kind {other}", key >> 3),
        };
        fields.push((key >> 3, value));
    }
    fields
}

fn number(message: &[u8], field: u64) -> Option<u64> {
    fields(message).into_iter().find_map(|(at, value)| match value {
        Field::Number(number) if at == field => Some(number),
        _ => None,
    })
}

fn all(message: &[u8], field: u64) -> Vec<&[u8]> {
    let of = |(at, value)| match value {
        Field::Bytes(bytes) if at == field => Some(bytes),
        _ => None,
    };
    fields(message).into_iter().filter_map(of).collect()
}

fn text(message: &[u8], field: u64) -> String {
    String::from_utf8(all(message, field).first().expect("a text").to_vec()).expect("UTF-8")
}

/// What an event says of its slice: names, with numbers or texts.
fn about(event: &[u8]) -> BTreeMap<String, String> {
    let value = |one: &[u8]| number(one, 3).map_or_else(|| text(one, 6), |number| number.to_string());
    all(event, 4).into_iter().map(|one| (text(one, 10), value(one))).collect()
}

/// Outermost slices by the names of their tracks, outermost first.
pub fn tracks(file: &[u8]) -> BTreeMap<String, Vec<Slice>> {
    let (mut names, mut slices) = (BTreeMap::new(), BTreeMap::<String, Vec<Slice>>::new());
    let mut open = BTreeMap::<u64, Vec<Slice>>::new();
    for packet in all(file, 1) {
        assert_eq!(number(packet, 10), Some(1));
        if let Some(track) = all(packet, 60).first() {
            let above = number(track, 5).map(|above| format!("{} / ", names[&above])).unwrap_or_default();
            let name = format!("{above}{}", text(track, 2));
            slices.insert(name.clone(), vec![]);
            assert!(names.insert(number(track, 1).expect("its number"), name).is_none());
            continue;
        }
        let (event, time) = (all(packet, 11)[0], number(packet, 8).expect("a time"));
        let track = number(event, 11).expect("a track");
        let stack = open.entry(track).or_default();
        match number(event, 9) {
            Some(1) => {
                let flows = fields(event).into_iter().filter_map(|(at, value)| match value {
                    Field::Number(flow) if at == 47 => Some(flow),
                    _ => None,
                });
                let (flows, name, about) = (flows.collect(), text(event, 23), about(event));
                stack.push(Slice { from: time, until: time, name, about, flows, inner: vec![] });
            }
            Some(2) => {
                let slice = Slice { until: time, ..stack.pop().expect("it has begun") };
                assert!(slice.from <= slice.until, "{slice:?}");
                match stack.last_mut() {
                    Some(outer) => outer.inner.push(slice),
                    None => slices.get_mut(&names[&track]).expect("described before").push(slice),
                }
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(open.values().all(Vec::is_empty), "slices that do not end");
    slices
}
