use super::*;
use proptest::prelude::*;

fn rewritten(old: &str, before: &str, after: &str) -> Result<String> {
    let (old, before, after) = (old.as_bytes(), before.as_bytes(), after.as_bytes());
    super::rewrite(&Rewrite { old, columns: &[], before, after }).map(|new| String::from_utf8(new).unwrap())
}

#[test]
fn only_what_changed_is_replaced() {
    for (old, before, after, expected) in [
        // Attributes: their quotes, order, and those that are not known.
        (
            "<u b = '1'  z=\"9\"\ta='2'/>",
            r#"<u a="2" b="1"/>"#,
            r#"<u a="it's" b="1"/>"#,
            "<u b = '1'  z=\"9\"\ta='it&apos;s'/>",
        ),
        ("<u a='1' b='2'/>", r#"<u a="1" b="2"/>"#, r#"<u b="2" c="3"/>"#, "<u b='2' c=\"3\"/>"),
        ("<u/>", "<u/>", r#"<u c="3"/>"#, "<u c=\"3\"/>"),
        // Texts.
        (
            "<u><a> 1 </a><b>x<!-- c --></b></u>",
            "<u><a>1</a><b>x</b></u>",
            "<u><a>2</a><b>x</b></u>",
            "<u><a> 2 </a><b>x<!-- c --></b></u>",
        ),
        (
            "<u>\n <!-- <a>1</a> -->\n <a>1</a>\n</u>",
            "<u><a>1</a></u>",
            "<u><a>2</a></u>",
            "<u>\n <!-- <a>1</a> -->\n <a>2</a>\n</u>",
        ),
        ("<u><a><![CDATA[<x>]]></a></u>", "<u><a>&lt;x></a></u>", "<u><a>y</a></u>", "<u><a>y</a></u>"),
        ("<u><a/></u>", "<u><a></a></u>", "<u><a>y</a></u>", "<u><a>y</a></u>"),
        ("<u> t <b/> </u>", "<u>t<b/></u>", "<u>new<b/></u>", "<u> new <b/> </u>"),
        // Children: new ones, and those that are gone.
        (
            "<u>\n  <a>1</a>\n  <b>2</b>\n</u>",
            "<u><a>1</a><b>2</b></u>",
            "<u><a>1</a><n>3</n></u>",
            "<u>\n  <a>1</a>\n  <n>3</n>\n</u>",
        ),
        ("<u>\n  <b>2</b>\n</u>", "<u><b>2</b></u>", "<u><a>1</a><b>2</b></u>", "<u>\n  <a>1</a>\n  <b>2</b>\n</u>"),
        ("<u></u>", "<u/>", "<u><a>1</a></u>", "<u><a>1</a></u>"),
        ("<u/>", "<u/>", "<u><a>1</a><b>2</b></u>", "<u><a>1</a><b>2</b></u>"),
        // Lists: the items that stay keep their bytes.
        (
            "<u> <i >1</i > <i >2</i > <i >3</i > </u>",
            "<u><i>1</i><i>2</i><i>3</i></u>",
            "<u><i>1</i><i>3</i></u>",
            "<u> <i >1</i > <i >3</i > </u>",
        ),
        (
            "<u> <i >1</i > <i >2</i > </u>",
            "<u><i>1</i><i>2</i></u>",
            "<u><i>1</i><i>7</i><i>2</i></u>",
            "<u> <i >1</i > <i>7</i> <i >2</i > </u>",
        ),
        (
            "<u> <i >1</i > <i >2</i > </u>",
            "<u><i>1</i><i>2</i></u>",
            "<u><i>1</i><i>2</i><i>3</i><i>4</i></u>",
            "<u> <i >1</i > <i >2</i > <i>3</i> <i>4</i> </u>",
        ),
        (
            "<u> <i >0</i > </u>",
            "<u><i>0</i></u>",
            "<u><i>0</i><i>0</i><i>3</i></u>",
            "<u> <i >0</i > <i>0</i> <i>3</i> </u>",
        ),
        ("<u> <i >1</i > </u>", "<u><i>1</i></u>", "<u><i>0</i><i>1</i></u>", "<u> <i>0</i> <i >1</i > </u>"),
        // Prefixes and default namespaces of the document around.
        (
            "<p:u><p:a>1</p:a></p:u>",
            "<u xmlns=\"x\"><a>1</a></u>",
            "<u xmlns=\"x\"><a>2</a></u>",
            "<p:u><p:a>2</p:a></p:u>",
        ),
        // A declaration before the element, and a value that looks like an end.
        (
            "<u a='>'><b>1</b></u>",
            "<?xml version=\"1.0\"?>\n<u a=\"&gt;\"><b>1</b></u>",
            "<?xml version=\"1.0\"?>\n<u a=\"&gt;\"><b>2</b></u>",
            "<u a='>'><b>2</b></u>",
        ),
    ] {
        assert_eq!(rewritten(old, before, after).unwrap(), expected, "{old}");
        assert_eq!(rewritten(old, before, before).unwrap(), old);
    }
}

#[test]
fn what_does_not_correspond_is_refused() {
    for (old, before, after, message) in [
        ("<u a='1'/>", "<u><a>1</a></u>", "<u><a>2</a></u>", "does not stand"),
        ("<u><a>1</a></u>", "<u a=\"1\"/>", "<u a=\"2\"/>", "does not stand"),
        ("<u><a>1</a></u>", "<u><a>1</a><a>1</a></u>", "<u><a>1</a><a>2</a></u>", "does not stand"),
        ("<u>a<b/>c</u>", "<u>ac<b/></u>", "<u>d<b/></u>", "several pieces"),
        ("<u/>", "<u/>", "<u><a xmlns=\"x\">1</a></u>", "namespace"),
        ("<u/>", "<u/>", "<u><p:a>1</p:a></u>", "namespace"),
        ("<u/>", "<u/>", "<u x:a=\"1\"/>", "namespace"),
    ] {
        let error = rewritten(old, before, after).unwrap_err().to_string();
        assert!(error.contains(message), "{old}: {error}");
    }
    let deep = format!("{}{}", "<a>".repeat(300), "</a>".repeat(300));
    assert!(rewritten(&deep, &deep, &deep).unwrap_err().to_string().contains("256"));
}

/// A record of three fields, of which one is a list.
#[derive(Debug, Clone, PartialEq)]
struct Item {
    id: u8,
    name: String,
    tags: Vec<u8>,
}

impl Item {
    fn canonical(&self) -> String {
        let tags: Vec<_> = self.tags.iter().map(|tag| format!("<tag>{tag}</tag>")).collect();
        let tags = tags.concat();
        format!("<r id=\"{}\"><name>{}</name>{tags}</r>", self.id, self.name)
    }

    fn value(text: &[u8]) -> demat_core::Value {
        super::super::decode(text).unwrap()
    }
}

fn item() -> impl Strategy<Value = Item> {
    (0..4_u8, "[ab]{1,3}", prop::collection::vec(0..4_u8, 0..4)).prop_map(|(id, name, tags)| Item { id, name, tags })
}

proptest! {
    #[test]
    fn the_element_has_the_new_values(was in item(), is in item(), space in "[ \n]{0,2}", quote in 0..2_u8) {
        let quote = ['"', '\''][usize::from(quote)];
        let (before, after) = (was.canonical(), is.canonical());
        let old = before.replace('"', &quote.to_string()).replace("<name>", &format!("{space}<name >"));
        let old = old.replace("<tag>", &format!("{space}<!--t--><tag>")).replace("</r>", &format!("{space}</r>"));
        let new = rewritten(&old, &before, &after).unwrap();
        prop_assert_eq!(Item::value(new.as_bytes()), Item::value(after.as_bytes()), "{}", new);
        let back = rewritten(&new, &after, &before).unwrap();
        prop_assert_eq!(Item::value(back.as_bytes()), Item::value(before.as_bytes()), "{}", back);
    }
}
