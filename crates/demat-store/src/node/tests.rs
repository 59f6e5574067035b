use super::Node;

const HOSTILE: &str = "\"</text><script>alert('&amp;')</script>\\N\n\0\u{FFFF}";

#[test]
fn what_is_told_of_stores_means_nothing_in_a_picture() {
    let svg = Node::new(HOSTILE).with(HOSTILE).part(HOSTILE, Node::new("x")).to_svg();
    assert!(!svg.contains("<script") && !svg.contains("alert('"));
    assert!(
        svg.contains("&quot;&lt;/text&gt;&lt;script&gt;alert(&#39;&amp;amp;&#39;)&lt;/script&gt;\\N \u{FFFD}\u{FFFD}")
    );
    assert!(svg.chars().all(|letter| letter == '\n' || !letter.is_control()));
    for tag in ["svg", "g", "text", "style", "title"] {
        assert_eq!(svg.matches(&format!("<{tag}")).count(), svg.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn what_is_told_of_stores_means_nothing_to_graphviz() {
    let dot = Node::new("a").with(HOSTILE).part(HOSTILE, Node::new("b")).to_dot();
    let text = "\\\"</text><script>alert('&amp;amp;')</script>\\\\N\\n\u{FFFD}\u{FFFF}";
    assert!(dot.contains(&format!("n0 [label=\"a {text}\"];")), "{dot}");
    assert!(dot.contains(&format!("n0 -> n1 [label=\"{text}\"];")));
    assert_eq!(dot.lines().count(), 7);
}

#[test]
fn each_store_is_drawn_once_below_its_own() {
    let inner = Node::new("switch").part("a", Node::new("memory")).part("b", Node::new("table").with("x.db#b"));
    let tree = Node::new("cache").over(inner);
    let dot = tree.to_dot();
    let edges: Vec<_> = dot.lines().filter(|line| line.contains("->")).map(str::trim).collect();
    assert_eq!(edges, ["n0 -> n1;", "n1 -> n2 [label=\"a\"];", "n1 -> n3 [label=\"b\"];"]);
    let svg = tree.to_svg();
    assert_eq!((svg.matches("<rect").count(), svg.matches("<path").count()), (4, 3));
    assert!(svg.contains("prefers-color-scheme:dark"));
    let long = Node::new("typed").with("x".repeat(500)).to_svg();
    assert!(long.contains(&format!("> {}…<", "x".repeat(64))) && long.contains(&"x".repeat(500)));
}

#[test]
fn wide_letters_have_room() {
    let width = |name: &str| {
        let svg = Node::new(name).to_svg();
        let (_, after) = svg.split_once("<rect x=\"16\" y=\"16\" width=\"").unwrap();
        after.split_once('"').unwrap().0.parse::<usize>().unwrap()
    };
    assert_eq!((width("abc"), width("a…é"), width("日本語")), (48, 48, 72));
}
