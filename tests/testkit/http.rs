//! Requests to the server of a monitor.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

/// What the server answers.
pub struct Answer {
    pub code: u16,
    pub head: String,
    pub body: String,
}

/// Of somebody who names this host.
pub fn ask(port: u16, request: &str, host: &str) -> Answer {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("set");
    // With the older version the answer comes in one piece.
    write!(stream, "{request} HTTP/1.0\r\n{host}\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("answered");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer}"));
    let code = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a code");
    Answer { code, head: head.into(), body: body.into() }
}
