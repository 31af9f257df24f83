//! Parquet files as Apache Arrow's library reads them.

use parquet::{
    basic::{ConvertedType, LogicalType, Type},
    column::reader::ColumnReader,
    file::reader::{FileReader, SerializedFileReader},
};
use std::{fs::File, path::Path};

/// All columns, each of 64 bits without sign, with their names.
pub fn columns(path: &Path) -> Vec<(String, Vec<u64>)> {
    let file = File::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let about = reader.metadata().file_metadata();
    let schema = about.schema_descr();
    let column = |at: usize| {
        let column = schema.column(at);
        assert_eq!((column.physical_type(), column.converted_type()), (Type::INT64, ConvertedType::UINT_64));
        assert_eq!(column.logical_type_ref(), Some(&LogicalType::integer(64, false)));
        let mut values = vec![];
        for group in 0..reader.num_row_groups() {
            let group = reader.get_row_group(group).expect("a row group");
            let ColumnReader::Int64ColumnReader(mut reader) = group.get_column_reader(at).expect("a column") else {
                panic!("{} is not of 64 bits", column.name());
            };
            let (read, ..) = reader.read_records(usize::MAX, None, None, &mut values).expect("values");
            assert_eq!(read as i64, group.metadata().num_rows());
        }
        assert_eq!(values.len() as i64, about.num_rows());
        (column.name().to_string(), values.into_iter().map(|value| value as u64).collect())
    };
    (0..schema.num_columns()).map(column).collect()
}
