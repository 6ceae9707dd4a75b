//! What the CSV reader forgives and an import must not: a quote that is never closed takes the rest of the
//! file into one field, and text behind a closing quote is a row whose quotes are not what its author meant.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::rc::Rc;

/// Passes bytes on to the reader and watches their quotes.
pub(super) struct Watched<R> {
    inner: R,
    quotes: Rc<RefCell<Quotes>>,
}

/// What has been seen so far, which is more than the reader has made records of.
#[derive(Default)]
pub(super) struct Quotes {
    at: Place,
    offset: u64,
    has_ended: bool,
    /// Where there is text behind a closing quote.
    stray: VecDeque<u64>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Place {
    #[default]
    FieldStart,
    Bare,
    Quoted,
    /// Behind a quote that closes the field, unless another one follows.
    Closing,
}

impl<R> Watched<R> {
    pub(super) fn new(inner: R) -> (Self, Rc<RefCell<Quotes>>) {
        let quotes = Rc::new(RefCell::new(Quotes::default()));
        (Self { inner, quotes: Rc::clone(&quotes) }, quotes)
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        let mut quotes = self.quotes.borrow_mut();
        quotes.has_ended = count == 0 && !buffer.is_empty();
        buffer.iter().take(count).for_each(|byte| quotes.see(*byte));
        Ok(count)
    }
}

impl Quotes {
    fn see(&mut self, byte: u8) {
        self.at = match (self.at, byte) {
            (Place::FieldStart | Place::Closing, b'"') | (Place::Quoted, 0..=b'!' | b'#'..) => Place::Quoted,
            (Place::Quoted, b'"') => Place::Closing,
            (_, b',' | b'\r' | b'\n') => Place::FieldStart,
            (Place::Closing, _) => {
                self.stray.push_back(self.offset);
                Place::Bare
            }
            (Place::FieldStart | Place::Bare, _) => Place::Bare,
        };
        self.offset += 1;
    }

    /// What is wrong with the quotes of the record that ends before the byte `end`, the last that was read.
    pub(super) fn fault(&mut self, end: u64) -> Option<&'static str> {
        let count = self.stray.iter().take_while(|at| **at < end).count();
        self.stray.drain(..count);
        if self.has_ended && end == self.offset && self.at == Place::Quoted {
            return Some("has a quote that is never closed");
        }
        (count > 0).then_some("has text behind a closing quote; a quote inside a field is written twice")
    }
}
