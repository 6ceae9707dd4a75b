//! `application/x-ndjson`: a JSON object a line; blank lines count and are passed over.

use std::io::{BufRead as _, BufReader};

use super::{Pieces, Sink};
use crate::resources::catalog::imports::{Refusal, row};

pub(super) fn parse(reader: Pieces, sink: &mut Sink) -> Result<(), Refusal> {
    let mut reader = BufReader::new(reader);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        if reader.read_until(b'\n', &mut line).map_err(|_| sink.too_large())? == 0 {
            break;
        }
        let text = line.trim_ascii();
        if text.is_empty() {
            continue;
        }
        let outcome = str::from_utf8(text).map_err(|_| "is not UTF-8".to_owned()).and_then(row::from_json);
        sink.row(number, line.len(), outcome)?;
    }
    Ok(())
}
