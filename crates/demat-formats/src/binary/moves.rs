//! Puts fields in order that came in another one.

/// A record whose fields are not in order.
#[derive(Debug, Clone)]
pub(crate) struct Move {
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The ranges of its fields, in the right order.
    pub(crate) parts: Vec<(usize, usize)>,
}

/// Puts all fields in order, in one pass: each byte is copied once, whatever the nesting.
pub(crate) fn apply(buffer: &mut Vec<u8>, moves: &mut Vec<Move>) {
    if moves.is_empty() {
        return;
    }
    // Records were added when they ended, inner ones first.
    moves.reverse();
    moves.sort_by_key(|one| (one.start, usize::MAX - one.end));
    let Some(first) = moves.first().map(|one| one.start) else { return };
    let end = buffer.len();
    let mut ordered = Vec::with_capacity(end - first);
    // Ranges of bytes, each with the moves inside of it; the next one last.
    let mut left = vec![(first, end, 0, moves.len())];
    while let Some((begin, end, low, high)) = left.pop() {
        let inside = moves.get(low..high).unwrap_or_default();
        let Some(one) = inside.first() else {
            ordered.extend_from_slice(&buffer[begin..end]);
            continue;
        };
        ordered.extend_from_slice(&buffer[begin..one.start]);
        let rest = low + inside.partition_point(|other| other.start < one.end);
        left.push((one.end, end, rest, high));
        let inner = &moves[low + 1..rest];
        for &(from, to) in one.parts.iter().rev() {
            let low_part = low + 1 + inner.partition_point(|other| other.start < from);
            let high_part = low + 1 + inner.partition_point(|other| other.start < to);
            left.push((from, to, low_part, high_part));
        }
    }
    buffer.truncate(first);
    buffer.append(&mut ordered);
    moves.clear();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nested_records_are_put_in_order() {
        let mut buffer = b"<ba[dc]>!{21}".to_vec();
        let mut moves = vec![
            Move { start: 4, end: 6, parts: vec![(5, 6), (4, 5)] },
            Move { start: 1, end: 7, parts: vec![(2, 3), (1, 2), (3, 7)] },
            Move { start: 10, end: 12, parts: vec![(11, 12), (10, 11)] },
        ];
        apply(&mut buffer, &mut moves);
        assert_eq!(buffer, b"<ab[cd]>!{12}");
    }

    #[test]
    fn a_record_may_begin_where_its_first_field_does() {
        let mut buffer = b"dcba".to_vec();
        let mut moves = vec![
            Move { start: 0, end: 2, parts: vec![(1, 2), (0, 1)] },
            Move { start: 0, end: 4, parts: vec![(3, 4), (2, 3), (0, 2)] },
        ];
        apply(&mut buffer, &mut moves);
        assert_eq!(buffer, b"abcd");
    }
}
