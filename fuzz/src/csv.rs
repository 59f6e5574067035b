use crate::shapes::choose;
use crate::ways::{agree, streamed, whole};
use demat_core::Shape;
use demat_formats::csv::{Csv, Dialect, Rows};
use demat_formats::stream::Part;

fn dialect(bytes: &[u8]) -> (Dialect, &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return (Dialect::default(), bytes) };
    let dialect = if first & 1 == 0 { Dialect::default() } else { Dialect::tsv() };
    (if first & 2 == 0 { dialect } else { dialect.without_header() }, rest)
}

/// Windows of every size read what a slice does.
pub fn csv_window(bytes: &[u8]) {
    let (dialect, rest) = dialect(bytes);
    let (shape, text) = choose(rest);
    for shape in [shape, Shape::Any] {
        let format = || Csv::new(dialect).expect("it is a dialect");
        let mut own = format();
        let slice = whole(&mut own.over(Part::whole(text)), &shape);
        for size in [1, 2, 3, 5, 7, 16, 17, 33, 64, 1 << 16] {
            agree(&slice, &streamed(text, &mut format(), &shape, size, size.min(4096)), size);
        }
    }
}

/// Where rows are cut as RFC 4180 says, the `csv` crate cuts them so, too.
pub fn csv_vs_crate(text: &[u8]) {
    // It reads text after a closing quote as more of the cell, and an open quote as closed at the end; here both are
    // refused.
    let Ok(own) = cut(text) else { return };
    let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text);
    let peer: Vec<Vec<Vec<u8>>> =
        reader.byte_records().map(|row| row.expect("a slice is read").iter().map(<[u8]>::to_vec).collect()).collect();
    assert_eq!(own, peer);
}

fn cut(text: &[u8]) -> demat_core::Result<Vec<Vec<Vec<u8>>>> {
    let mut rows = Rows::new(text, Dialect::default())?;
    let mut all = Vec::new();
    while let Some(row) = rows.next_row()? {
        all.push(row.cells().map(std::borrow::Cow::into_owned).collect());
    }
    Ok(all)
}
