//! A tree of stores as a picture.

use super::Node;
use core::fmt::{self, Write as _};

/// The approximate width of a letter, and the space around a text, in pixels.
const LETTER: usize = 8;
const ROOM: usize = 12;
/// The height of a box, and the distance between rows.
const HEIGHT: usize = 30;
const ROW: usize = 42;
/// The gap between columns of boxes.
const GAP: usize = 48;
/// The margin around the picture.
const MARGIN: usize = 16;
/// The maximum number of letters shown of a text; the tooltip has all of them.
const LONGEST: usize = 64;

const STYLE: &str = "text{font:13px ui-monospace,monospace;fill:#1f2328}\
.label{fill:#57606a}.kind{font-weight:bold}\
rect{fill:#f6f8fa;stroke:#8c959f}path{fill:none;stroke:#8c959f}\
@media(prefers-color-scheme:dark){text{fill:#e6edf3}.label{fill:#9198a1}\
rect{fill:#161b22;stroke:#656c76}path{stroke:#656c76}}";

/// A node with its position in the picture.
struct Placed<'n> {
    label: &'n str,
    node: &'n Node,
    depth: usize,
    above: Option<usize>,
    /// The vertical centre.
    y: usize,
}

impl Node {
    /// Returns the tree as a self-contained SVG picture, from left to right, for light and dark pages.
    ///
    /// ```
    /// use demat_store::Node;
    /// let svg = Node::new("cache").over(Node::new("memory")).to_svg();
    /// assert!(svg.starts_with("<svg xmlns=") && svg.contains(">memory<"));
    /// ```
    pub fn to_svg(&self) -> String {
        let mut all = Vec::new();
        let rows = place("", self, 0, None, 0, &mut all);
        let columns = columns(&all);
        let (width, height) = (columns[columns.len() - 1] - GAP + MARGIN, rows * ROW + MARGIN * 2 - (ROW - HEIGHT));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\"><title>stores</title><style>{STYLE}</style>\n"
        );
        for placed in &all {
            // Writing to a String can't fail.
            let _ = write(&mut svg, placed, &all, &columns);
        }
        svg + "</svg>\n"
    }
}

/// Places a node and its parts in the rows from this one on. Returns the next free row.
fn place<'n>(
    label: &'n str,
    node: &'n Node,
    depth: usize,
    above: Option<usize>,
    row: usize,
    all: &mut Vec<Placed<'n>>,
) -> usize {
    let own = all.len();
    all.push(Placed { label, node, depth, above, y: MARGIN + row * ROW + HEIGHT / 2 });
    let (mut next, mut ends) = (row, None);
    for (label, part) in &node.parts {
        let index = all.len();
        next = place(label, part, depth + 1, Some(own), next, all);
        let first = ends.map_or(index, |(first, _)| first);
        ends = Some((first, index));
    }
    if let Some((first, last)) = ends {
        all[own].y = all[first].y.midpoint(all[last].y);
    }
    next.max(row + 1)
}

/// Returns the start of each column, and of the one after the last.
fn columns(all: &[Placed<'_>]) -> Vec<usize> {
    let depth = all.iter().map(|placed| placed.depth).max().unwrap_or(0);
    let mut columns = vec![MARGIN];
    for column in 0..=depth {
        let widest = all.iter().filter(|placed| placed.depth == column).map(Placed::width).max().unwrap_or(0);
        columns.push(columns[column] + widest + GAP);
    }
    columns
}

impl Placed<'_> {
    /// The text before the kind.
    fn before(&self) -> String {
        if self.label.is_empty() { String::new() } else { format!("{}: ", short(self.label)) }
    }

    /// The text after the kind.
    fn behind(&self) -> String {
        if self.node.detail.is_empty() { String::new() } else { format!(" {}", short(&self.node.detail)) }
    }

    fn width(&self) -> usize {
        let letters = [self.before(), short(&self.node.kind), self.behind()];
        letters.iter().flat_map(|text| text.chars()).map(columns_of).sum::<usize>() * LETTER + ROOM * 2
    }
}

/// Returns the width of a character in letters: East Asian characters and pictographs are twice as wide.
fn columns_of(letter: char) -> usize {
    if letter < '\u{1100}' || ('\u{2000}'..'\u{2e80}').contains(&letter) { 1 } else { 2 }
}

fn short(text: &str) -> String {
    let mut letters = text.chars();
    let mut short: String = letters.by_ref().take(LONGEST).collect();
    if letters.next().is_some() {
        short.push('…');
    }
    short
}

fn write(svg: &mut String, own: &Placed<'_>, all: &[Placed<'_>], columns: &[usize]) -> fmt::Result {
    let (x, y) = (columns[own.depth], own.y);
    if let Some(above) = own.above.map(|above| &all[above]) {
        let (from, middle) = (columns[above.depth] + above.width(), x - GAP / 2);
        writeln!(svg, "<path d=\"M{from} {}C{middle} {} {middle} {y} {x} {y}\"/>", above.y, above.y)?;
    }
    let (width, top) = (own.width(), y - HEIGHT / 2);
    let whole = format!("{}{}{}", own.label, if own.label.is_empty() { "" } else { ": " }, own.node.line());
    writeln!(
        svg,
        "<g><title>{}</title><rect x=\"{x}\" y=\"{top}\" width=\"{width}\" height=\"{HEIGHT}\" rx=\"6\"/>\
         <text x=\"{}\" y=\"{}\" xml:space=\"preserve\"><tspan class=\"label\">{}</tspan>\
         <tspan class=\"kind\">{}</tspan><tspan>{}</tspan></text></g>",
        Escaped(&whole),
        x + ROOM,
        y + 5,
        Escaped(&own.before()),
        Escaped(&short(&own.node.kind)),
        Escaped(&own.behind())
    )
}

/// A text in XML, which can't represent control characters.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|letter| match letter {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\t' | '\n' | '\r' => f.write_char(' '),
            '\u{FFFE}' | '\u{FFFF}' => f.write_char('\u{FFFD}'),
            letter if letter.is_control() => f.write_char('\u{FFFD}'),
            letter => f.write_char(letter),
        })
    }
}
