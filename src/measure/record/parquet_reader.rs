//! Reads back the tables that [`super::parquet`] writes, and nothing else: what another program has written, or a
//! damaged file, is an error that says what is unexpected.
//!
//! ```text
//!  file ── FileMetaData: names and places of columns ── a column: its pages, one after the other ── values
//! ```
//!
//! Columns are decoded one at a time, so that a table with thousands of them takes little memory.
//!
//! Tests: `tests/chip/statistics.rs`.

use super::parquet::{
    BLOCK, DATA_PAGE, DELTA_BINARY_PACKED, INT64, MAGIC, MINIBLOCK, MINIBLOCKS, PAGE, REQUIRED, UINT_64, UNCOMPRESSED,
    kind,
};
use std::{collections::BTreeMap, ops::Range};

/// Why bytes are no table of ours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct UnreadableTable(String);

/// A table in a file.
#[derive(Clone, Debug)]
pub struct StoredTable {
    file: Vec<u8>,
    rows: u64,
    columns: Vec<StoredColumn>,
}

#[derive(Clone, Debug)]
struct StoredColumn {
    name: String,
    /// Where its pages are; none without rows.
    place: Range<usize>,
}

impl StoredTable {
    /// The table in the bytes of a file.
    ///
    /// # Errors
    /// When it is not one that [`super::Table`] writes.
    pub fn new(file: Vec<u8>) -> Result<Self, UnreadableTable> {
        let (about, pages) = footer(&file)?;
        let (rows, schema) = shape(&about)?;
        let names = schema.iter().map(name).collect::<Result<Vec<_>, _>>()?;
        let columns = match about.list(4)? {
            [] if rows == 0 => names.into_iter().map(|name| StoredColumn { name, place: 0..0 }).collect(),
            [group] => {
                let group = group.structure()?;
                let chunks = group.list(1)?;
                if (chunks.len(), group.number(3)?) != (names.len(), rows as i64) {
                    return Err(no("its row group does not have all columns and rows"));
                }
                let chunks = names.into_iter().zip(chunks);
                chunks.map(|(name, chunk)| stored(name, chunk, rows, pages.clone())).collect::<Result<_, _>>()?
            }
            groups => return Err(no(format!("it has {} row groups, not one", groups.len()))),
        };
        Ok(Self { file, rows, columns })
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Names of its columns.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The values of a column, by its number.
    ///
    /// # Errors
    /// When its pages are not as we write them.
    pub fn column(&self, number: usize) -> Result<Vec<u64>, UnreadableTable> {
        let Some(column) = self.columns.get(number) else { return Err(no(format!("it has no column {number}"))) };
        self.values(column).map_err(|UnreadableTable(why)| no(format!("column `{}`: {why}", column.name)))
    }

    fn values(&self, column: &StoredColumn) -> Result<Vec<u64>, UnreadableTable> {
        let mut bytes = Reader::new(&self.file[column.place.clone()]);
        let mut values = vec![];
        while (values.len() as u64) < self.rows {
            page(&mut bytes, self.rows - values.len() as u64, &mut values)?;
        }
        if bytes.left() > 0 {
            return Err(no("there is more than its rows"));
        }
        Ok(values)
    }
}

/// The footer of a file, and where its pages are.
fn footer(file: &[u8]) -> Result<(Fields, Range<usize>), UnreadableTable> {
    let ends = MAGIC.len();
    if !file.starts_with(MAGIC) {
        return Err(no("it does not begin as a Parquet file"));
    }
    if file.len() < 2 * ends + 4 || !file.ends_with(MAGIC) {
        return Err(no("it does not end as a Parquet file: it is cut short"));
    }
    let end = file.len() - ends - 4;
    let length = file[end..end + 4].iter().rev().fold(0usize, |length, &byte| length << 8 | usize::from(byte));
    let start = end.checked_sub(length).filter(|&start| start >= ends);
    let start = start.ok_or_else(|| no("its footer is longer than the file"))?;
    Ok((Reader::new(&file[start..end]).structure(0)?, ends..start))
}

/// Rows and the schema of each column.
fn shape(about: &Fields) -> Result<(u64, &[Thrift]), UnreadableTable> {
    let rows = about.number(3)?;
    let rows = u64::try_from(rows).map_err(|_| no(format!("it has {rows} rows")))?;
    let [root, schema @ ..] = about.list(2)? else { return Err(no("it has no schema")) };
    if root.structure()?.number(5)? != schema.len() as i64 {
        return Err(no("its columns lie in groups"));
    }
    Ok((rows, schema))
}

/// How many rows a table of any values has, and the names of its columns: nothing but its footer is read.
pub(super) fn outline(file: &[u8]) -> Result<(u64, Vec<String>), UnreadableTable> {
    let (about, _) = footer(file)?;
    let (rows, schema) = shape(&about)?;
    Ok((rows, schema.iter().map(|element| element.structure()?.text(4)).collect::<Result<_, _>>()?))
}

fn no(why: impl Into<String>) -> UnreadableTable {
    UnreadableTable(why.into())
}

/// The name in a SchemaElement of numbers as we write them.
fn name(element: &Thrift) -> Result<String, UnreadableTable> {
    let element = element.structure()?;
    let name = element.text(4)?;
    for (field, number, what) in
        [(1, INT64, "of 64 bits"), (3, REQUIRED, "required in each row"), (6, UINT_64, "without sign")]
    {
        if element.number(field)? != i64::from(number) {
            return Err(no(format!("column `{name}` is not {what}")));
        }
    }
    Ok(name)
}

/// Where a ColumnChunk is.
fn stored(name: String, chunk: &Thrift, rows: u64, within: Range<usize>) -> Result<StoredColumn, UnreadableTable> {
    let about = chunk.structure()?.field(3)?.structure()?;
    if about.number(4)? != i64::from(UNCOMPRESSED) {
        return Err(no(format!("column `{name}` is compressed")));
    }
    if about.number(5)? != rows as i64 {
        return Err(no(format!("column `{name}` has {} values for {rows} rows", about.number(5)?)));
    }
    let [start, length] = [about.number(9)?, about.number(7)?].map(usize::try_from);
    let place = start.ok().zip(length.ok()).and_then(|(start, length)| Some(start..start.checked_add(length)?));
    match place.filter(|place| within.start <= place.start && place.end <= within.end) {
        Some(place) => Ok(StoredColumn { name, place }),
        None => Err(no(format!("column `{name}` does not lie in the file"))),
    }
}

/// Appends the values of the next page, at most so many.
fn page(bytes: &mut Reader, most: u64, values: &mut Vec<u64>) -> Result<(), UnreadableTable> {
    let header = bytes.structure(0)?;
    let about = header.field(5)?.structure()?;
    let (kind, encoding, rows, length) = (header.number(1)?, about.number(2)?, about.number(1)?, header.number(3)?);
    if (kind, encoding) != (DATA_PAGE.into(), DELTA_BINARY_PACKED.into()) {
        return Err(no(format!("a page of kind {kind} in encoding {encoding}, which this program does not write")));
    }
    if rows <= 0 || rows as u64 > most.min(PAGE.into()) {
        return Err(no(format!("a page of {rows} rows, where {most} are left")));
    }
    let mut bytes = Reader::new(bytes.take(usize::try_from(length).map_err(|_| no("a page of negative length"))?)?);
    let shape = [bytes.varint()?, bytes.varint()?, bytes.varint()?];
    if shape != [BLOCK as u64, MINIBLOCKS as u64, rows as u64] {
        return Err(no(format!("a page whose values come in {shape:?}")));
    }
    let mut value = zagzig(bytes.varint()?) as u64;
    values.push(value);
    let mut left = rows as usize - 1;
    while left > 0 {
        let least = zagzig(bytes.varint()?);
        let bits: Vec<u32> = bytes.take(MINIBLOCKS)?.iter().map(|&bits| bits.into()).collect();
        for bits in bits {
            if bits > 64 {
                return Err(no(format!("differences of {bits} bits")));
            }
            let packed = if left > 0 { bytes.take(MINIBLOCK * bits as usize / 8)? } else { &[] };
            let mut differences = Unpacked { packed: packed.iter(), bits, held: 0, filled: 0 };
            for _ in 0..left.min(MINIBLOCK) {
                value = value.wrapping_add(least as u64).wrapping_add(differences.next());
                values.push(value);
            }
            left = left.saturating_sub(MINIBLOCK);
        }
    }
    if bytes.left() > 0 { Err(no("a page with more than its rows")) } else { Ok(()) }
}

/// Values of so many bits each, the first one lowest.
struct Unpacked<'b> {
    packed: std::slice::Iter<'b, u8>,
    bits: u32,
    held: u128,
    filled: u32,
}

impl Unpacked<'_> {
    fn next(&mut self) -> u64 {
        while self.filled < self.bits {
            self.held |= u128::from(self.packed.next().copied().unwrap_or(0)) << self.filled;
            self.filled += 8;
        }
        let value = self.held & ((1 << self.bits) - 1);
        self.held >>= self.bits;
        self.filled -= self.bits;
        value as u64
    }
}

/// The number of either sign behind one without.
fn zagzig(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// What Thrift's compact protocol has.
#[derive(Clone, Debug)]
enum Thrift {
    Flag,
    Number(i64),
    Text(Vec<u8>),
    List(Vec<Thrift>),
    Struct(Fields),
}

/// Fields of a structure by number.
#[derive(Clone, Debug, Default)]
struct Fields(BTreeMap<i64, Thrift>);

impl Thrift {
    fn structure(&self) -> Result<&Fields, UnreadableTable> {
        if let Self::Struct(fields) = self { Ok(fields) } else { Err(no("its footer or a header is damaged")) }
    }
}

impl Fields {
    fn field(&self, number: i64) -> Result<&Thrift, UnreadableTable> {
        self.0.get(&number).ok_or_else(|| no(format!("its footer or a header has no field {number}")))
    }

    fn number(&self, number: i64) -> Result<i64, UnreadableTable> {
        match self.field(number)? {
            Thrift::Number(value) => Ok(*value),
            _ => Err(no(format!("field {number} of its footer or a header is no number"))),
        }
    }

    fn text(&self, number: i64) -> Result<String, UnreadableTable> {
        match self.field(number)? {
            Thrift::Text(bytes) => String::from_utf8(bytes.clone()).map_err(|_| no("a name is not UTF-8")),
            _ => Err(no(format!("field {number} of its footer is no name"))),
        }
    }

    fn list(&self, number: i64) -> Result<&[Thrift], UnreadableTable> {
        match self.field(number)? {
            Thrift::List(elements) => Ok(elements),
            _ => Err(no(format!("field {number} of its footer is no list"))),
        }
    }
}

/// Reads bytes from the front.
struct Reader<'b>(&'b [u8]);

impl<'b> Reader<'b> {
    /// Structures in structures; what we write has four.
    const DEEPEST: usize = 8;

    fn new(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    fn left(&self) -> usize {
        self.0.len()
    }

    fn take(&mut self, bytes: usize) -> Result<&'b [u8], UnreadableTable> {
        let (taken, rest) = self.0.split_at_checked(bytes).ok_or_else(|| no("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, UnreadableTable> {
        Ok(self.take(1)?[0])
    }

    fn varint(&mut self) -> Result<u64, UnreadableTable> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(no("a number of more than 64 bits"))
    }

    fn structure(&mut self, depth: usize) -> Result<Fields, UnreadableTable> {
        let (mut fields, mut last) = (Fields::default(), 0);
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(fields);
            }
            last = match head >> 4 {
                0 => zagzig(self.varint()?),
                step => last + i64::from(step),
            };
            let value = self.value(head & 0xf, depth)?;
            fields.0.insert(last, value);
        }
    }

    fn value(&mut self, kind: u8, depth: usize) -> Result<Thrift, UnreadableTable> {
        /// The other kind of a flag; the value is in the kind.
        const TRUE: u8 = 1;
        if depth > Self::DEEPEST {
            return Err(no("its footer or a header is damaged"));
        }
        Ok(match kind {
            TRUE | kind::FALSE => Thrift::Flag,
            kind::I8 => Thrift::Number((self.byte()? as i8).into()),
            kind::I32 | kind::I64 => Thrift::Number(zagzig(self.varint()?)),
            kind::BINARY => {
                let length = self.varint()?;
                Thrift::Text(self.take(usize::try_from(length).unwrap_or(usize::MAX))?.to_vec())
            }
            kind::LIST => {
                let head = self.byte()?;
                let count = if head >> 4 == 0xf { self.varint()? } else { (head >> 4).into() };
                // Each takes a byte at least, flags of lists too, which we do not write.
                if count > self.left() as u64 || [TRUE, kind::FALSE].contains(&(head & 0xf)) {
                    return Err(no("its footer or a header is damaged"));
                }
                Thrift::List((0..count).map(|_| self.value(head & 0xf, depth + 1)).collect::<Result<_, _>>()?)
            }
            kind::STRUCT => Thrift::Struct(self.structure(depth + 1)?),
            other => return Err(no(format!("its footer or a header has a field of kind {other}"))),
        })
    }
}
