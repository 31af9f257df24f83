//! Files that a person names as input: read whole, up to a limit, and only regular ones, as a pipe or a device may have
//! no end.

use std::{
    fs::{File, FileType},
    io::{self, Read},
    path::Path,
};

/// Bytes that are read of a configuration or a launch file.
pub const TOML_LIMIT: u64 = 1 << 20;
/// Bytes that are read of a PTX file.
pub const PTX_LIMIT: u64 = 64 << 20;
/// Bytes that are read of a Liberty file.
pub const LIBERTY_LIMIT: u64 = 512 << 20;

/// The content of a file of at most so many bytes.
pub fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut options = File::options();
    options.read(true);
    // Without waiting: a pipe into which nobody writes opens at once, too.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits() as i32);
    let file = options.open(path)?;
    let about = file.metadata()?;
    if !about.is_file() {
        return Err(io::Error::other(format!("it is {}, not a file", kind(about.file_type()))));
    }
    let mut bytes = vec![];
    file.take(limit + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let length = about.len().max(bytes.len() as u64);
        return Err(io::Error::other(format!("it has {length} bytes; at most {limit} are read")));
    }
    Ok(bytes)
}

/// The same of a text.
pub fn read_text(path: &Path, limit: u64) -> io::Result<String> {
    String::from_utf8(read(path, limit)?).map_err(|_| io::Error::other("it is not UTF-8 text"))
}

fn kind(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe";
        }
    }
    if kind.is_dir() { "a folder" } else { "a device" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_up_to_the_limit() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("data");
        std::fs::write(&path, "12345").expect("written");
        assert_eq!(read(&path, 5).expect("short enough"), b"12345");
        assert_eq!(read_text(&path, 6).expect("short enough"), "12345");
        let said = |result: io::Result<Vec<u8>>| result.expect_err("refused").to_string();
        assert_eq!(said(read(&path, 4)), "it has 5 bytes; at most 4 are read");
        assert_eq!(said(read(folder.path(), 9)), "it is a folder, not a file");
        std::fs::write(&path, [0xff, b'a']).expect("written");
        assert_eq!(read_text(&path, 6).expect_err("refused").to_string(), "it is not UTF-8 text");
        assert_eq!(read(&folder.path().join("none"), 9).expect_err("refused").kind(), io::ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn what_has_no_end_is_not_read() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("starts").success());
        let said = |path: &Path| read(path, 9).expect_err("refused").to_string();
        assert_eq!(said(&pipe), "it is a pipe, not a file");
        assert_eq!(said(Path::new("/dev/zero")), "it is a device, not a file");
    }
}
