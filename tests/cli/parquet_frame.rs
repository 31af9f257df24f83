//! Parquet files whose values may be missing, as Apache Arrow's library reads them.

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};
use serde_json::{Value, json};
use std::{fs::File, path::Path};

/// Names of all columns, and all rows; null: missing.
pub fn rows(path: &Path) -> (Vec<String>, Vec<Vec<Value>>) {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let schema = reader.metadata().file_metadata().schema_descr();
    let names = schema.columns().iter().map(|column| column.name().to_string()).collect();
    let value = |field: &Field| match field {
        Field::Null => Value::Null,
        Field::Long(value) => json!(value),
        Field::Double(value) => json!(value),
        Field::Str(value) => json!(value),
        other => panic!("{other}"),
    };
    let row = |row: parquet::errors::Result<parquet::record::Row>| {
        row.expect("a row").get_column_iter().map(|(_, field)| value(field)).collect()
    };
    (names, reader.get_row_iter(None).expect("rows").map(row).collect())
}
