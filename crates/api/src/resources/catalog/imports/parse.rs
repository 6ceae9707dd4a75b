//! Rows out of a body that is still coming in, on a thread of its own: parsers read, and wait for
//! the network; nothing but the row at hand and the chunk being filled is in memory.

mod csv;
mod json;
mod lines;
mod quotes;

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use bytes::{Buf as _, Bytes};
use domain::model::MAX_ROWS;
use domain::status::ImportFormat;
use store::imports::ImportRow;
use store::items::NewItem;
use tokio::sync::mpsc;

use super::Refusal;
use crate::body::BYTE_ORDER_MARK;

/// Rows in a chunk: what a worker stores in one transaction.
const CHUNK_ROWS: usize = 500;
/// A chunk of fewer rows is full with so many bytes of them.
const CHUNK_BYTES: usize = 256 * 1024;
/// The largest row, in bytes: what a parser may have to hold.
const ROW_BYTES: usize = 1024 * 1024;

/// Parses `pieces` to their end and sends the rows on in chunks. Answers with how many rows there were.
pub(super) fn parse(
    format: ImportFormat,
    pieces: mpsc::Receiver<Bytes>,
    chunks: mpsc::Sender<Vec<ImportRow>>,
) -> Result<u32, Refusal> {
    let since_row = Rc::new(Cell::new(0));
    let reader = Pieces::new(pieces, Rc::clone(&since_row));
    let mut sink = Sink { chunks, chunk: Vec::new(), bytes: 0, rows: 0, since_row };
    match format {
        ImportFormat::Json => json::parse(reader, &mut sink)?,
        ImportFormat::Ndjson => lines::parse(reader, &mut sink)?,
        ImportFormat::Csv => csv::parse(reader, &mut sink)?,
    }
    sink.flush()?;
    match sink.rows {
        0 => Err(Refusal::Invalid("items", "must have at least one row".to_owned())),
        rows => Ok(rows),
    }
}

/// What came over the network, as a parser reads it.
struct Pieces {
    coming: mpsc::Receiver<Bytes>,
    current: Bytes,
    /// Whether the first bytes have been looked at.
    begun: bool,
    since_row: Rc<Cell<usize>>,
}

impl Pieces {
    fn new(coming: mpsc::Receiver<Bytes>, since_row: Rc<Cell<usize>>) -> Self {
        Self { coming, current: Bytes::new(), begun: false, since_row }
    }

    /// Passes over a byte order mark, however the network has cut it.
    fn begin(&mut self) {
        self.begun = true;
        while self.current.len() < BYTE_ORDER_MARK.len() && BYTE_ORDER_MARK.starts_with(&self.current) {
            let Some(next) = self.coming.blocking_recv() else { return };
            self.current = [self.current.as_ref(), next.as_ref()].concat().into();
        }
        if self.current.starts_with(BYTE_ORDER_MARK) {
            self.current.advance(BYTE_ORDER_MARK.len());
        }
    }
}

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.begun {
            self.begin();
        }
        while self.current.is_empty() {
            let Some(next) = self.coming.blocking_recv() else { return Ok(0) };
            self.current = next;
        }
        let count = buffer.len().min(self.current.len());
        self.current.copy_to_slice(buffer.get_mut(..count).unwrap_or_default());
        let read = self.since_row.get() + count;
        self.since_row.set(read);
        // A row that never ends, such as one behind an open quote, would be held whole.
        if read > ROW_BYTES { Err(io::Error::other("a row is too large")) } else { Ok(count) }
    }
}

/// Where the rows go.
struct Sink {
    chunks: mpsc::Sender<Vec<ImportRow>>,
    chunk: Vec<ImportRow>,
    bytes: usize,
    rows: u32,
    since_row: Rc<Cell<usize>>,
}

impl Sink {
    /// Takes the row that was read from `bytes` bytes.
    fn row(&mut self, line: u64, bytes: usize, outcome: Result<NewItem, String>) -> Result<(), Refusal> {
        if self.rows == MAX_ROWS {
            return Err(Refusal::Invalid("items", "must be at most 50,000 rows".to_owned()));
        }
        self.rows += 1;
        self.since_row.set(0);
        self.bytes += bytes;
        self.chunk.push(ImportRow { line, outcome });
        if self.chunk.len() == CHUNK_ROWS || self.bytes >= CHUNK_BYTES { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), Refusal> {
        self.bytes = 0;
        let chunk = std::mem::take(&mut self.chunk);
        if chunk.is_empty() {
            return Ok(());
        }
        // Whoever stores them has failed, and says so itself.
        self.chunks.blocking_send(chunk).map_err(|_| Refusal::Internal("rows could not be stored".to_owned()))
    }

    /// The reader's own failure: there is only one.
    fn too_large(&self) -> Refusal {
        let row = self.rows + 1;
        Refusal::Invalid("items", format!("row {row} must be at most {ROW_BYTES} bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The SKUs that are read from a body that comes in pieces of `size` bytes.
    fn skus(format: ImportFormat, body: &[u8], size: usize) -> Result<Vec<String>, Refusal> {
        let (to_parser, pieces) = mpsc::channel(body.len());
        for piece in body.chunks(size) {
            to_parser.try_send(Bytes::copy_from_slice(piece)).unwrap();
        }
        drop(to_parser);
        let (to_store, mut chunks) = mpsc::channel(8);
        parse(format, pieces, to_store)?;
        let rows = std::iter::from_fn(|| chunks.try_recv().ok()).flatten();
        Ok(rows.map(|row| row.outcome.unwrap().sku).collect())
    }

    #[test]
    fn a_byte_order_mark_is_passed_over_however_it_is_cut() {
        let bodies = [
            (ImportFormat::Json, r#"{"items": [{"sku": "A"}]}"#),
            (ImportFormat::Ndjson, "{\"sku\": \"A\"}\n"),
            (ImportFormat::Csv, "sku\nA\n"),
        ];
        for (format, body) in bodies {
            for size in [1, 2, 3, 4, 100] {
                let marked = [BYTE_ORDER_MARK, body.as_bytes()].concat();
                assert_eq!(skus(format, &marked, size).unwrap(), ["A"], "{format:?} by {size}");
                assert_eq!(skus(format, body.as_bytes(), size).unwrap(), ["A"], "{format:?} by {size}");
            }
        }
    }

    /// Each row's line, and its SKU or what is wrong with it.
    fn rows(csv: &str, size: usize) -> Vec<(u64, Result<String, String>)> {
        let (to_parser, pieces) = mpsc::channel(csv.len());
        for piece in csv.as_bytes().chunks(size) {
            to_parser.try_send(Bytes::copy_from_slice(piece)).unwrap();
        }
        drop(to_parser);
        let (to_store, mut chunks) = mpsc::channel(8);
        parse(ImportFormat::Csv, pieces, to_store).unwrap();
        let rows = std::iter::from_fn(|| chunks.try_recv().ok()).flatten();
        rows.map(|row| (row.line, row.outcome.map(|item| item.sku))).collect()
    }

    #[test]
    fn quotes_that_are_not_what_their_author_meant_are_a_bad_row_and_never_a_good_one() {
        let sound = "sku,name\r\nA,\"5\"\" screen, \r\n new\"\r\n\"B\",5\" screen\r\nC,\"\"\r\n";
        let open = "sku,name\nA,ok\nB,\"5 inch\nC,c\nD,d\n";
        let stray = "sku,name\nA,\"x\"y\nB,\"5\" screen\nC,\"c\"\n";
        for size in [1, 2, 3, 5, 1_000] {
            let good = |line, sku: &str| (line, Ok(sku.to_owned()));
            assert_eq!(rows(sound, size), [good(2, "A"), good(4, "B"), good(5, "C")], "by {size}");
            let found = rows(open, size);
            assert_eq!(found[..1], [good(2, "A")], "by {size}");
            assert_eq!(found[1..], [(3, Err("has a quote that is never closed".to_owned()))], "by {size}");
            let found = rows(stray, size);
            assert_eq!(found.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 4], "by {size}");
            assert!(found[..2].iter().all(|(_, row)| row.as_ref().unwrap_err().contains("closing quote")), "by {size}");
            assert_eq!(found[2], good(4, "C"), "by {size}");
        }
    }

    #[test]
    fn half_a_mark_is_no_mark() {
        assert!(skus(ImportFormat::Json, b"\xef\xbb", 1).is_err());
        assert!(skus(ImportFormat::Json, b"\xef\xbb{\"items\": [{\"sku\": \"A\"}]}", 1).is_err());
    }

    #[test]
    fn a_body_that_is_no_object_is_told_so() {
        let Err(Refusal::Malformed(reason)) = skus(ImportFormat::Json, b"[]", 9) else { panic!() };
        assert_eq!(reason, "the body must be a JSON object");
    }
}
