//! Forms, whole and in pieces of every size; and what is no form.

use super::multipart::Multipart;
use super::{Field, FieldValue, Spool, url_encoded};

fn fields() -> Vec<Field> {
    let field = |name: &str, many, file| Field { name: name.to_string(), many, file };
    vec![
        field("a", false, false),
        field("many", true, false),
        field("file", false, true),
        field("files", true, true),
        field("é\"", false, false),
    ]
}

/// Parses a form, in pieces of this size. Returns the status of a failure.
fn parsed(body: &[u8], piece: usize) -> Result<Vec<(String, String)>, u16> {
    let parse = || {
        let mut parser = Multipart::new("b-1", fields());
        body.chunks(piece).try_for_each(|piece| parser.feed(piece))?;
        parser.finish()
    };
    let shown = |(name, value): (String, FieldValue)| {
        let value = match value {
            FieldValue::Text(text) => text,
            FieldValue::File { name, media_type, data: Spool::Memory(bytes) } => {
                format!("{name}|{}|{}", media_type.unwrap_or_default(), String::from_utf8_lossy(&bytes))
            }
            FieldValue::File { data: Spool::File(_, len), .. } => format!("file of {len}"),
        };
        (name, value)
    };
    parse().map(|fields| fields.into_iter().map(shown).collect()).map_err(|failure| failure.status.as_u16())
}

fn own(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(name, value)| ((*name).to_string(), (*value).to_string())).collect()
}

#[test]
fn forms_are_parsed_in_pieces_of_any_size() {
    let form = concat!(
        "--b-1\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\nx\r\n--b-\r\ny\r\n",
        "--b-1 \t\r\nX-Other: 1\r\nContent-Disposition:form-data;name=many\r\n\r\n\r\n",
        "--b-1\r\nContent-Disposition: form-data; name=\"many\"\r\nContent-Transfer-Encoding: Binary\r\n\r\n\r\n\r\n\r\n",
        "--b-1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"C:\\x\\\"%22.txt\"\r\n",
        "Content-Type: text/plain\r\n\r\n--b-1\r\n",
        "--b-1\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\"\r\n\r\n\r\n",
        "--b-1\r\nContent-Disposition: form-data; name=\"files\"; filename=x; filename*=UTF-8''%e2%82%ac\r\n\r\n-\r\n",
        "--b-1\r\nContent-Disposition: form-data; name=\"é%22\"\r\n\r\nü\r\n--b-1--\r\n",
    );
    let expected = own(&[
        ("a", "x\r\n--b-\r\ny"),
        ("many", ""),
        ("many", "\r\n\r\n"),
        ("file", "C:\\x\"\".txt|text/plain|--b-1"),
        ("files", "€||-"),
        ("é\"", "ü"),
    ]);
    for piece in 1..form.len() {
        assert_eq!(parsed(form.as_bytes(), piece).as_deref(), Ok(&expected[..]), "{piece}");
    }
    // Cut anywhere, it is refused, except before the line break behind its end.
    for end in 0..form.len() - 2 {
        assert_eq!(parsed(&form.as_bytes()[..end], 7), Err(400), "{end}");
    }
}

#[test]
fn long_files_are_spooled() {
    let mut form = b"--b-1\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n".to_vec();
    form.resize(form.len() + 1_000_000, b'\r');
    form.extend_from_slice(b"\r\n--b-1--");
    assert_eq!(parsed(&form, 10_000), Ok(own(&[("file", "file of 1000000")])));
}

#[test]
fn what_is_no_form_is_refused() {
    let part = |head: &str| format!("--b-1\r\n{head}\r\n\r\nx\r\n--b-1--\r\n");
    let named = "Content-Disposition: form-data; name=\"a\"";
    for (body, status) in [
        (String::new(), 400),
        ("x".to_string(), 400),
        ("\r\n--b-1--".to_string(), 400),
        ("preamble\r\n--b-1--".to_string(), 400),
        ("--b-1--\r\nepilogue".to_string(), 400),
        ("--b-1x\r\n".to_string(), 400),
        ("--b-1\r\n\r\nx\r\n--b-1--".to_string(), 400),
        (part("Content-Type: text/plain"), 400),
        (part("Content-Disposition: attachment; name=\"a\""), 400),
        (part("Content-Disposition: form-data"), 400),
        (part("Content-Disposition: form-data; name=\"a"), 400),
        (part("Content-Disposition: form-data; name=\"a\"; name=\"b\""), 400),
        (part("Content-Disposition: form-data; name=a b"), 400),
        (part(&format!("{named}\r\n{named}")), 400),
        (part(&format!("{named}\r\n folded: x")), 400),
        (part(&format!("{named}\r\nno colon")), 400),
        (part(&format!("{named}\nX: y")), 400),
        (part(&format!("{named}\r\nContent-Transfer-Encoding: base64")), 400),
        (part("Content-Disposition: form-data; name=\"files\"; filename*=latin1''x"), 400),
        (part("Content-Disposition: form-data; name=\"other\""), 422),
        (part("Content-Disposition: form-data; name=\"a\"; filename=\"f\""), 422),
        (part("Content-Disposition: form-data; name=\"file\""), 422),
        (part(named).replace("--b-1--", &part(named)), 400),
        (part(&format!("{named}\r\nX: {}", "x".repeat(9_000))), 413),
        (part(named).replace("\r\nx", &format!("\r\n{}", "x".repeat(2 << 20))), 413),
        (format!("{}--b-1--", "--b-1\r\nContent-Disposition: form-data; name=many\r\n\r\n\r\n".repeat(1_001)), 413),
    ] {
        for piece in [1_000, 1 << 20] {
            assert_eq!(parsed(body.as_bytes(), piece), Err(status), "{}", &body[..body.len().min(200)]);
        }
    }
    let broken = b"--b-1\r\nContent-Disposition: form-data; name=a\r\n\r\n\xff\r\n--b-1--";
    assert_eq!(parsed(broken, 9), Err(400));
}

#[test]
fn url_encoded_forms() {
    let parsed = |text: &[u8]| match url_encoded(text, &fields()) {
        Ok(fields) => Ok(fields.into_iter().map(|(name, value)| format!("{name}={value:?}")).collect::<Vec<_>>()),
        Err(failure) => Err(failure.status.as_u16()),
    };
    assert_eq!(parsed(b"").unwrap().len(), 0);
    let many = ["a=Text(\"x y\")", "many=Text(\"\")", "many=Text(\"é\")"].map(str::to_string);
    assert_eq!(parsed(b"a=x+y&many=&many=%c3%a9"), Ok(many.to_vec()));
    for (text, status) in [(&b"a=1&a=2"[..], 400), (b"a=%ff", 400), (b"a=\xff", 400), (b"b=1", 422), (b"file=x", 422)] {
        assert_eq!(parsed(text), Err(status));
    }
    assert_eq!(parsed("many=1&".repeat(1_001).as_bytes()), Err(413));
}
