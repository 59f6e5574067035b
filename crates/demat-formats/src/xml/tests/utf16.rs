//! Documents in UTF-16.

use super::*;
use crate::stream::{RecordPath, Records, Walk, Windowed};
use demat_core::Signal;

fn encoded(text: &str, big: bool) -> Vec<u8> {
    let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(unit).collect()
}

const DOCUMENT: &str = "<?xml version='1.0' encoding='UTF-16'?>\n<list>\n\
    <r i='\u{1F600}'><t>é &amp; \u{1F600}</t></r>\n\
    <r i='ж'><t>\u{a0a}<![CDATA[x]]></t></r>\n</list>\n";

#[test]
fn every_window_reads_what_utf8_has() {
    for shape in ["[{i \"@i\": text, t: text}]", "any"] {
        let shape: Shape = shape.parse().unwrap();
        let text = DOCUMENT.replace("UTF-16", "UTF-8");
        let whole = read_with(text.as_bytes(), &shape, ReadOptions::default()).unwrap();
        for big in [true, false] {
            let bytes = encoded(DOCUMENT, big);
            for size in (1..100).chain([1000]) {
                assert_eq!(streamed(&*bytes, size, &shape).unwrap(), whole, "{size}");
            }
        }
    }
}

#[test]
fn memory_is_bounded_by_the_longest_record() {
    let text = format!("<c>{}</c>", "<b><n>é</n></b>\n".repeat(20_000));
    let bytes = encoded(&text, false);
    let records = Records::<_, _, Value>::new(Window::with_size(&*bytes, 1024), Xml::default());
    assert_eq!(records.flatten().count(), 20_000);
    let mut window = Window::with_size(&*bytes, 1024);
    let shape = "[{n: text}]".parse().unwrap();
    copy_stream(&mut window, &mut Xml::default(), &shape, &mut demat_core::Nothing, &mut Stop).unwrap();
    assert!(window.capacity() < 8 * 1024, "{}", window.capacity());
}

#[test]
fn positions_are_of_the_input() {
    let text = "<a>\n<b>é\u{a0a}</b>\n\u{1F600}</c></a>";
    let bytes = encoded(text, true);
    for size in [1, 3, 10, 1000] {
        let error = streamed(&*bytes, size, &"[text]".parse().unwrap()).unwrap_err();
        // The text between the items is found first.
        assert_eq!((error.position().line, error.position().column), (Some(3), Some(1)), "{size} {error}");
        assert_eq!(error.position().offset, Some(2 + 2 * 14), "{size}");
        let error = streamed(&*bytes, size, &Shape::Any).unwrap_err();
        assert_eq!((error.position().line, error.position().column), (Some(3), Some(4)), "{size} {error}");
        assert_eq!(error.position().offset, Some(2 + 2 * 18), "{size}");
    }
}

#[test]
fn what_is_no_utf16_is_refused() {
    let refusal = |bytes: &[u8]| streamed(bytes, 16, &Shape::Any).unwrap_err().to_string();
    let mut bytes = encoded("<a>xy</a>", true);
    bytes[8..10].copy_from_slice(&[0xD8, 0]);
    assert!(refusal(&bytes).contains("half of a character of UTF-16 stands alone (line 1, column 4)"));
    bytes.truncate(9);
    assert!(refusal(&bytes).contains("half of a character"), "{}", refusal(&bytes));
    let other = encoded("<?xml version='1.0' encoding='UTF-8'?><a/>", false);
    assert!(refusal(&other).contains("the encoding is UTF-16, and not `UTF-8`"));
    assert!(refusal(b"<?xml version='1.0' encoding='UTF-16'?><a/>").contains("the encoding `UTF-16` is not read"));
    assert!(refusal(b"<\0a\0/\0>\0").contains("UTF-16 is read with a byte order mark only"));
}

#[test]
fn a_path_leads_to_records() {
    let bytes = encoded("<c>t<x><b>no</b></x><s><b>1</b><y/>é<b>2</b></s><b>no</b><s><b>3</b></s></c>", true);
    let at = RecordPath::of_elements("c/s/b").unwrap();
    for size in [1, 2, 7, 30, 1000] {
        let (mut window, mut format, mut walk) = (Window::with_size(&*bytes, size), Xml::default(), Walk::new(&at));
        let mut found = Vec::new();
        'document: loop {
            let mut source = format.source(window.part());
            if let Some(mark) = walk.mark() {
                source.reset(mark);
            }
            loop {
                let more = walk.next(&mut source);
                let text = more
                    .and_then(|more| if more { source.text().map(|text| Some(text.to_string())) } else { Ok(None) });
                match text {
                    Ok(Some(text)) => found.push(text),
                    Ok(None) => break 'document,
                    Err(error) if error.signal() == Some(Signal::Incomplete) => break,
                    Err(error) => panic!("{error}"),
                }
                walk.taken(&source);
            }
            drop(source);
            let passed = walk.passed();
            window.consume(passed);
            walk.moved(passed);
            if passed > 0 || !walk.deepen(window.part().bytes.len()) {
                window.fill(passed == 0).unwrap();
            }
        }
        assert_eq!(found, ["1", "2", "3"], "{size}");
    }
}
