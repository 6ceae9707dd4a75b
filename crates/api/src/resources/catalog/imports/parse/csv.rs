//! `text/csv` (RFC 4180): commas, quotes, a header line that names the columns.

use csv::{ByteRecord, ErrorKind, ReaderBuilder};

use super::quotes::Watched;
use super::{Pieces, Sink};
use crate::resources::catalog::imports::{Refusal, row};

/// The columns that an item has; their names are read in any case.
const COLUMNS: [&str; 4] = ["sku", "name", "price", "currency"];

pub(super) fn parse(reader: Pieces, sink: &mut Sink) -> Result<(), Refusal> {
    let (reader, quotes) = Watched::new(reader);
    let mut reader = ReaderBuilder::new().flexible(true).from_reader(reader);
    let header = reader.byte_headers().map_err(|error| failed(sink, &error))?.clone();
    if let Some(fault) = quotes.borrow_mut().fault(reader.position().byte()) {
        return Err(Refusal::Invalid("items", format!("the header line {fault}")));
    }
    // Of a line that ends in CR LF, the LF is read with the next one: then every position is a line too small.
    let inside = header.as_slice().split(|byte| *byte == b'\n').count() as u64;
    let lag = (1 + inside).saturating_sub(reader.position().line());
    let header = columns(&header)?;
    let mut record = ByteRecord::new();
    while reader.read_byte_record(&mut record).map_err(|error| failed(sink, &error))? {
        let line = record.position().map_or(0, csv::Position::line) + lag;
        let fault = quotes.borrow_mut().fault(reader.position().byte());
        let item = fault.map_or_else(|| item(&header, &record), |fault| Err(fault.to_owned()));
        sink.row(line, record.as_slice().len(), item)?;
    }
    Ok(())
}

fn item(header: &[String], record: &ByteRecord) -> Result<store::items::NewItem, String> {
    if record.len() != header.len() {
        return Err(format!("has {} fields where the header has {}", record.len(), header.len()));
    }
    let values: Result<Vec<&str>, _> = record.iter().map(str::from_utf8).collect();
    let values = values.map_err(|_| "is not UTF-8".to_owned())?;
    row::from_csv(header.iter().map(String::as_str).zip(values))
}

fn columns(header: &ByteRecord) -> Result<Vec<String>, Refusal> {
    let mut columns: Vec<String> = Vec::new();
    for name in header {
        let name = str::from_utf8(name).map_err(|_| Refusal::Malformed("the header line is not UTF-8".to_owned()))?;
        let name = name.trim();
        let known = COLUMNS.iter().find(|column| column.eq_ignore_ascii_case(name));
        let name = known.map_or(name, |column| *column).to_owned();
        if columns.contains(&name) {
            return Err(Refusal::Invalid("items", format!("the header line names {} twice", name.escape_debug())));
        }
        columns.push(name);
    }
    if columns.iter().any(|column| column == "sku") {
        return Ok(columns);
    }
    Err(Refusal::Invalid("items", "the header line must name a column sku".to_owned()))
}

fn failed(sink: &Sink, error: &csv::Error) -> Refusal {
    match error.kind() {
        ErrorKind::Io(_) => sink.too_large(),
        _ => Refusal::Malformed("the body is no CSV".to_owned()),
    }
}
