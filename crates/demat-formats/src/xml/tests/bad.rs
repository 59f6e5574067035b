//! What is not well-formed, and what takes too much.

use super::*;
use rustix::time::{ClockId, Timespec, clock_gettime};
use std::fmt::Write;
use std::time::Duration;

#[test]
fn what_is_not_well_formed_says_where() {
    for (text, wanted) in [
        ("", "expected an element, found end of input (line 1, column 1)"),
        ("x", "expected an element, found `x` (line 1, column 1)"),
        ("<a>", "expected an end tag, found end of input (line 1, column 4)"),
        ("<a></b>", "expected `</a>`, found `</b>` (line 1, column 6)"),
        ("<a/><b/>", "expected end of input, as the root has ended, found `<` (line 1, column 5)"),
        ("<a/>x", "expected end of input, as the root has ended, found `x` (line 1, column 5)"),
        ("<a b='1' b='2'/>", "the attribute `b` is repeated (line 1, column 10)"),
        ("<a b=1/>", "expected a value in quotes, found `1` (line 1, column 6)"),
        ("<a b='1'c='2'/>", "expected a space, `/>` or `>`, found `c` (line 1, column 9)"),
        ("<a b='<'/>", "expected no `<` in the value of an attribute, found `<` (line 1, column 7)"),
        ("<a>]]></a>", "expected no `]]>` in text, found `]` (line 1, column 4)"),
        ("<a><!-- -- --></a>", "expected no `--` in a comment, found `-` (line 1, column 9)"),
        ("<a>&b;</a>", "the entity `&b;` is not read"),
        ("<a>&</a>", "expected a reference that ends with `;`"),
        ("<a>&#0;</a>", "`&#0;`: no such character (line 1, column 4)"),
        ("<a>&#xD800;</a>", "`&#xD800;`: no such character"),
        ("<a>\u{1}</a>", "expected a character that XML 1.0 allows, found `U+0001` (line 1, column 4)"),
        (" <?xml version='1.0'?><a/>", "an XML declaration can only be the very first of a document"),
        ("<?xml version='2.0'?><a/>", "expected a version such as `1.0`, found `2` (line 1, column 16)"),
        ("<?xml encoding='utf-8'?><a/>", "expected `version`, `encoding` and `standalone`, in this order"),
        ("<?xml version='1.0' encoding='latin1'?><a/>", "the encoding `latin1` is not read; only UTF-8 is, and UTF-16"),
        ("<!DOCTYPE a><a/>", "a document type declaration is refused"),
        ("<p:a/>", "the prefix `p` is not declared (line 1, column 2)"),
        ("<a p:b=''/>", "the prefix `p` is not declared (line 1, column 4)"),
        ("<a xmlns:p='u' xmlns:q='u' p:b='' q:b=''/>", "the attribute is repeated under another prefix"),
        ("<a:b:c/>", "`a:b:c` is not a prefix and a name"),
        ("<1a/>", "expected the name of an element, found `1` (line 1, column 2)"),
        ("<a><?xml ?></a>", "an XML declaration can only be the very first"),
    ] {
        let error = skipped_with(text.as_bytes(), ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    }
    let error = skipped_with(b"<a>\xff</a>", ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("expected text in UTF-8, found byte 0xff"), "{error}");
    let error = skipped_with(b"\xff\xfe<\0a\0/\0>\0", ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("UTF-16 is read with a byte order mark only"), "{error}");
}

#[test]
fn a_document_type_is_passed_over_on_request() {
    let skip = || ReadOptions { doctype: Doctype::Skip, ..ReadOptions::default() };
    let text = "<!DOCTYPE a SYSTEM 'x' [<!ELEMENT a (b|(c,d)*)+><!ENTITY e 'x'><!ATTLIST a b CDATA 'x'>%p;]><a b='1'/>";
    skipped_with(text.as_bytes(), skip()).unwrap();
    let laughs = "<!DOCTYPE a [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><a>&b;</a>";
    assert!(skipped_with(laughs.as_bytes(), skip()).unwrap_err().to_string().contains("the entity `&b;` is not read"));
    let default = b"<!DOCTYPE a [<!ENTITY e 'x'><!ATTLIST a b CDATA '&e;'>]><a/>";
    assert!(skipped_with(default, skip()).unwrap_err().to_string().contains("the entity `&e;` is not read"));
    assert!(skipped_with(b"<!DOCTYPE a [<!ELEMENT a (b,c|d)>]><a/>", skip()).is_err());
}

#[test]
fn depth_has_a_limit() {
    let nested = |levels: usize| "<a>".repeat(levels) + &"</a>".repeat(levels);
    skipped_with(nested(256).as_bytes(), ReadOptions::default()).unwrap();
    let error = skipped_with(nested(257).as_bytes(), ReadOptions::default()).unwrap_err().to_string();
    assert!(error.starts_with("the depth of nesting exceeds the limit of 256"), "{error}");
    let bomb = "<a>".repeat(1_000_000);
    assert!(streamed(bomb.as_bytes(), 1000, &Shape::Any).is_err());
    assert!(streamed(bomb.as_bytes(), 1000, &Shape::Any.list()).is_err());
    let error = written(&read(&nested(200), "any").unwrap(), "any").map(|_| ());
    error.unwrap();
}

/// The processor time that this thread has had: what else the machine does is not in it.
fn processor_time() -> Duration {
    let Timespec { tv_sec, tv_nsec } = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(tv_sec.cast_unsigned(), u32::try_from(tv_nsec).unwrap())
}

/// The processor time of two reads.
fn time(text: &str) -> Duration {
    let start = processor_time();
    let _ = skipped_with(text.as_bytes(), ReadOptions::default());
    let _ = copy(&mut XmlSource::new(text.as_bytes()), &Shape::Any, &mut demat_core::Nothing);
    processor_time() - start
}

#[test]
fn time_is_linear() {
    type Family = fn(usize) -> String;
    let families: [Family; 5] = [
        |n| {
            let mut text = String::from("<a");
            (0..n).for_each(|at| write!(text, " a{at}='1'").unwrap());
            text + "/>"
        },
        |n| {
            let mut text = String::from("<a>");
            (0..n).for_each(|at| write!(text, "<b{at}/>").unwrap());
            (0..n).for_each(|at| write!(text, "<b{at}/>").unwrap());
            text + "</a>"
        },
        |n| format!("<a>{}</a>", "&lt;x".repeat(n)),
        |n| format!("<a>{}</a>", "<!---->x".repeat(n)),
        |n| format!("<a {}>{}</a>", "xmlns:p='u'", "<p:b p:c=''/>".repeat(n)),
    ];
    for (index, family) in families.iter().enumerate() {
        let best = |n| (0..3).map(|_| time(&family(n))).min().unwrap();
        let is_linear = (0..3).any(|_| best(20_000) < best(5_000) * 8);
        assert!(is_linear, "{index}");
    }
}

#[test]
fn namespaces_in_scope_have_a_limit() {
    let mut text = String::from("<a");
    (0..300).for_each(|at| write!(text, " xmlns:p{at}='u'").unwrap());
    let error = skipped_with((text + "/>").as_bytes(), ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains("the number of namespace declarations in scope exceeds the limit of 256"), "{error}");
}
