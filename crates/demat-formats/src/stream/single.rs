//! A format whose single values are lists of one, where a list is requested.

use super::{Bordered, End, Part, Windowed};
use crate::codec::{ReadOptions, Reader, Setting, Values};
use demat_core::{AcceptSingle, Mark, Record, Result, Shape};

/// The option of formats that have it.
pub(crate) const ACCEPT_SINGLE: Setting = Setting::new(
    "accept_single",
    Values::Flag,
    "False",
    "whether a single value is read as a list of one where the type is a list",
);

/// A format over another one, whose sources are [`AcceptSingle`].
#[derive(Debug)]
struct SingleFormat<F>(F);

/// Returns the reader that the options ask for: the given one, or one over it that [accepts single
/// values](AcceptSingle).
pub(crate) fn accepting(reader: Reader, options: &ReadOptions) -> Reader {
    if options.own.flag(&ACCEPT_SINGLE) == Some(true) { Reader::other(SingleFormat(reader.boxed())) } else { reader }
}

impl ReadOptions {
    /// Whether a single value is read as a list of one: the option `accept_single`.
    ///
    /// ```
    /// use demat_formats::{Format, codec::SettingValue};
    /// let mut options = Format::JSON.read_options();
    /// let flag = |_: &_| Ok::<_, demat_core::Error>(SettingValue::Flag(true));
    /// Format::JSON.set_read(&mut options, "accept_single", flag)?;
    /// assert!(options.accepts_single());
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn accepts_single(&self) -> bool {
        self.own.flag(&ACCEPT_SINGLE) == Some(true)
    }
}

impl<F: Windowed> Windowed for SingleFormat<F> {
    type Source<'w>
        = AcceptSingle<F::Source<'w>>
    where
        Self: 'w;

    fn source<'w>(&'w mut self, part: Part<'w>) -> Self::Source<'w> {
        AcceptSingle::new(self.0.source(part))
    }

    fn begin(&mut self, shape: &Shape) -> Result<()> {
        self.0.begin(shape)
    }

    fn is_headed(&self) -> bool {
        self.0.is_headed()
    }

    fn header(&self) -> Result<Option<Record>> {
        self.0.header()
    }

    fn declares(&self) -> bool {
        self.0.declares()
    }

    fn declared(&self) -> Option<Shape> {
        self.0.declared()
    }

    fn end(&self) -> Option<End> {
        self.0.end()
    }

    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        self.0.holds_item(part, mark)
    }
}

impl<F: Bordered> Bordered for SingleFormat<F> {
    fn anew(&self) -> Self {
        Self(self.0.anew())
    }

    fn border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize> {
        self.0.border(bytes, from, record)
    }
}

#[cfg(test)]
mod tests {
    use crate::Format;
    use crate::codec::SettingValue;
    use crate::stream::{self, Stop, Window};
    use demat_core::{Shape, Value};

    #[test]
    fn each_format_with_the_option_reads_single_values_as_lists() {
        let shape: Shape = "[{a:[int], b:[{c:[text]}]}]".parse().unwrap();
        let new = Value::build(|sink| {
            let mut source = crate::json::JsonSource::new(br#"[{"a": [1], "b": [{"c": ["x"]}]}]"#);
            demat_core::copy(&mut source, &shape, sink)
        });
        let new = new.unwrap();
        for (format, data) in [
            (Format::JSON, &br#"[{"a": 1, "b": {"c": "x"}}]"#[..]),
            (Format::JSON, br#"{"a": 1, "b": {"c": "x"}}"#),
            (Format::NDJSON, b"{\"a\": 1, \"b\": {\"c\": \"x\"}}\n"),
            (Format::MSGPACK, b"\x91\x82\xa1a\x01\xa1b\x81\xa1c\xa1x"),
            (Format::CBOR, b"\x81\xa2aa\x01ab\xa1acax"),
            (Format::YAML, b"- a: 1\n  b: {c: x}\n"),
        ] {
            for piece in [1, 7, usize::MAX] {
                let mut options = format.read_options();
                let flag = |_: &crate::codec::Setting| Ok::<_, demat_core::Error>(SettingValue::Flag(true));
                format.set_read(&mut options, "accept_single", flag).unwrap();
                let mut reader = format.codec().unwrap().reader(&options).unwrap().boxed();
                let mut window = Window::new(
                    data.chunks(piece.min(data.len()))
                        .fold(Box::new(std::io::empty()) as Box<dyn std::io::Read>, |before, chunk| {
                            Box::new(std::io::Read::chain(before, chunk))
                        }),
                );
                let copied =
                    Value::build(|sink| stream::copy(&mut window, &mut reader, &shape, sink, &mut Stop).map(drop));
                assert_eq!(copied.unwrap(), new, "{}", format.name());
            }
        }
    }
}
