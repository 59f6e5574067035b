//! Compares each function with its slow twin, at every level of the machine.

use super::characters::characters_at;
use super::class::Class;
use super::csv_rows::{Marks, rows_at};
use super::csv_special::CsvSpecial;
use super::digits::{NotDigit, eights_in_words};
use super::find::find_at;
use super::json_plain::NotPlain;
use super::json_quoted::append_escaped_at;
use super::json_string::StringEnd;
use super::portable::Portable;
use super::sixteen::sixteen_digits_one_by_one;
use super::space::NotSpace;
use super::vector::{Base, Vector};
use super::xml_text::{XmlControl, XmlEscape, XmlSpecial};
use super::*;

/// Marsaglia's xorshift: varied enough, and the same sequence each time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 16) as usize % bound
    }

    fn bytes(&mut self, alphabet: &[u8], len: usize) -> Vec<u8> {
        (0..len).map(|_| alphabet[self.below(alphabet.len())]).collect()
    }
}

/// Mostly bytes that no search stops at, so that runs get long, with the boundary values of all classes among them.
const ALPHABETS: [&[u8]; 8] = [
    b"a",
    b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\x7f\x80",
    b"abcdefgh\"\\\x1f\x20\x7f\x80\xff\x00",
    b"          \t\n\r\x0b\x0c\x00\x21\xa0",
    b"0123456789012345678901234567890123456789/:\xb0\xb9",
    b"\x80\x9f\xa0\xc3\xff\xef\xfe\"",
    b"cell,cell;cell,\"\n\r\t\x00",
    b"\x00\x01\x1f\x20\x21\x22\x23\x2f\x30\x39\x3a\x5b\x5c\x5d\x7e\x7f\x80\x81\xfe\xff",
];

/// Inputs of all short lengths and some long ones, at all alignments, with a position to start from.
fn each_input(mut check: impl FnMut(&[u8], usize)) {
    let mut random = Random(0x5eed);
    let long = if cfg!(miri) { 0 } else { 40 };
    let lengths: Vec<usize> = if cfg!(miri) { vec![0, 7, 16, 33, 150] } else { (0..=200).collect() };
    // Miri checks each access and is a thousand times slower; it needs few of them.
    for alphabet in ALPHABETS.into_iter().step_by(if cfg!(miri) { 3 } else { 1 }) {
        for &len in &lengths {
            let offset = random.below(64);
            let bytes = random.bytes(alphabet, offset + len);
            // A separate box ends where the input does, for tools that detect reads past it.
            let exact: Box<[u8]> = bytes[offset..].into();
            for from in [0, 1, random.below(len + 1), random.below(len + 1), len, len + 1, usize::MAX] {
                check(&bytes[offset..], from);
                check(&exact, from);
            }
        }
        for _ in 0..long {
            let len = 200 + random.below(5000);
            let offset = random.below(64);
            let bytes = random.bytes(alphabet, offset + len);
            check(&bytes[offset..], random.below(100));
        }
    }
}

fn check_class<C: Class>(class: C, public: impl Fn(&[u8], usize) -> usize, twin: impl Fn(&[u8], usize) -> usize) {
    each_input(|bytes, from| {
        let expected = twin(bytes, from);
        assert_eq!(public(bytes, from), expected, "{bytes:?} from {from}");
        for level in Level::all() {
            // SAFETY: the level is one of those available.
            let found = unsafe { find_at(level, class, bytes, from) };
            assert_eq!(found, expected, "{level:?}: {bytes:?} from {from}");
        }
    });
}

#[test]
fn json_plain_stops_where_its_twin_does() {
    check_class(NotPlain, json_plain, naive::json_plain);
}

#[test]
fn json_plain_text_is_the_run_up_to_the_stop() {
    each_input(|bytes, from| {
        let (text, end) = json_plain_text(bytes, from);
        assert_eq!(end, naive::json_plain(bytes, from));
        assert_eq!(text.as_bytes(), &bytes[from.min(bytes.len())..end]);
        assert!(text.is_ascii());
    });
}

#[test]
fn csv_short_text_is_all_of_a_plain_cell() {
    each_input(|bytes, start| {
        for len in 0..=33 {
            let end = start.wrapping_add(len);
            let (cell, block) = (bytes.get(start..end), bytes.get(start..start.saturating_add(32)));
            let plain = |cell: &&[u8]| cell.is_ascii() && !cell.contains(&b'"') && cell.len() <= 32 && block.is_some();
            assert_eq!(csv_short_text(bytes, start, end, b'"').map(str::as_bytes), cell.filter(plain));
        }
        assert_eq!(csv_short_text(bytes, start, start.wrapping_sub(1), b'"'), None);
    });
}

#[test]
fn json_string_end_stops_where_its_twin_does() {
    check_class(StringEnd, json_string_end, naive::json_string_end);
}

#[test]
fn text_is_escaped_as_the_twin_does() {
    each_input(|bytes, from| {
        let Some(text) = bytes.get(from..).map(String::from_utf8_lossy) else { return };
        let expected = naive::json_escaped(&text);
        for level in Level::all() {
            let mut out = b"before".to_vec();
            // SAFETY: the level is one of those available.
            unsafe { append_escaped_at(level, &mut out, text.as_bytes()) };
            assert_eq!(out[6..], expected, "{level:?}: {text:?}");
        }
        for (comma, colon) in [(false, false), (true, false), (false, true), (true, true)] {
            // A capacity that is just too small must be detected.
            let mut out = Vec::with_capacity(text.len() + (from & 63));
            append_json_quoted(&mut out, &text, comma, colon.then_some(b':'));
            let parts: [&[u8]; 5] =
                [&b","[usize::from(!comma)..], b"\"", &expected, b"\"", &b":"[usize::from(!colon)..]];
            assert_eq!(out, parts.concat(), "{text:?}");
        }
    });
}

#[test]
fn a_few_bytes_are_appended() {
    each_input(|bytes, from| {
        let Some(text) = bytes.get(from..) else { return };
        let Some(block) = text.first_chunk::<16>() else { return };
        for len in 0..=16 {
            for comma in [false, true] {
                let (mut out, mut expected) = (bytes.to_vec(), bytes.to_vec());
                append_block(&mut out, comma, *block, len);
                expected.extend_from_slice(if comma { b"," } else { b"" });
                expected.extend_from_slice(&block[..len]);
                assert_eq!(out, expected);
            }
            for front in [None, Some(b'-')] {
                let (mut out, mut expected) = (bytes.to_vec(), bytes.to_vec());
                append_framed(&mut out, front, *block, len, b';');
                expected.extend(front);
                expected.extend_from_slice(&block[..len]);
                expected.push(b';');
                assert_eq!(out, expected);
                append_over(&mut out, b';', *b"],");
                expected.pop();
                append_over(&mut out, b';', *b"]!");
                expected.extend_from_slice(b"],]!");
                assert_eq!(out, expected);
            }
        }
    });
}

#[test]
fn text_is_appended_wherever_its_buffer_has_it() {
    const TEXT: [u8; 12] = *b"made in here";
    for room in 0..30 {
        for (from, to) in (0..=12).flat_map(|to| (0..=to).map(move |from| (from, to))) {
            let mut out = Vec::with_capacity(room);
            out.extend_from_slice(b"before ");
            append_made(&mut out, TEXT, |buffer| std::str::from_utf8(&buffer[from..to]).unwrap(), None);
            assert_eq!(out, [b"before ", &TEXT[from..to]].concat());
            append_made(&mut out, TEXT, |buffer| std::str::from_utf8(&buffer[from..to]).unwrap(), Some(b'!'));
            assert_eq!(out, [b"before ", &TEXT[from..to], &TEXT[from..to], b"!"].concat());
            append_made(&mut out, [0_u8; 2], |_| "made elsewhere", None);
            assert!(out.ends_with(b"made elsewhere"));
            append_made(&mut out, [0_u8; 2], |_| "made elsewhere", Some(b'!'));
            assert!(out.ends_with(b"elsewhere!"));
        }
    }
}

#[test]
fn sixteen_digits_are_those_of_the_twin() {
    let mut number = 1_u64;
    for round in 0..1_000_000_u64 {
        number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
        let numbers = [(number >> 38) % 100_000_000, number % 100_000_000, round % 10_000, 99_999_999 - round % 100, 0];
        for (first, last) in numbers.into_iter().zip(numbers.into_iter().cycle().skip(round as usize % 5)) {
            let (first, last) = (first as u32, last as u32);
            assert_eq!(sixteen_digits(first, last), sixteen_digits_one_by_one(first, last), "{first} {last}");
        }
    }
}

#[test]
fn space_end_stops_where_its_twin_does() {
    check_class(NotSpace, space_end, naive::space_end);
}

#[test]
fn indent_end_stops_where_its_twin_does() {
    each_input(|bytes, from| {
        if let Some(block) = bytes.get(from..).and_then(|rest| rest.first_chunk()) {
            assert_eq!(indent_end(block), naive::find(block, 1, |byte| byte != b' '));
        }
    });
}

#[test]
fn digits_end_stops_where_its_twin_does() {
    check_class(NotDigit, digits_end, naive::digits_end);
}

#[test]
fn digits_are_counted_as_their_twin_does() {
    each_input(|bytes, from| {
        if let Some(block) = bytes.get(from..).and_then(|rest| rest.first_chunk()) {
            let count = naive::digits_end(block, 0);
            assert_eq!(digit_count(block), count);
            let digits = format!("{:0<16}", std::str::from_utf8(&block[..count]).unwrap());
            let eights = [&digits[..8], &digits[8..]].map(|eight| eight.parse().unwrap());
            assert_eq!(fraction_digits(block), (count, eights));
            assert_eq!(eights_in_words(block, count), eights);
        }
    });
}

#[test]
fn csv_special_stops_where_its_twin_does() {
    for (delimiter, quote) in [(b',', b'"'), (b';', b'\''), (b'\t', b'"'), (0, 0xff), (b',', b',')] {
        check_class(
            CsvSpecial { delimiter, quote },
            |bytes, from| csv_special(bytes, from, delimiter, quote),
            |bytes, from| naive::csv_special(bytes, from, delimiter, quote),
        );
    }
}

#[test]
fn bytes_are_appended_behind_their_head() {
    let bytes: Vec<u8> = (1..=40).collect();
    for len in 0..bytes.len() {
        let mut out = vec![7; 3];
        append_headed(&mut out, 99, &bytes[..len]);
        assert_eq!(out, [&[7, 7, 7, 99], &bytes[..len]].concat());
    }
    let mut out = Vec::new();
    append_fixed(&mut out, [1, 2, 3]);
    append_fixed(&mut out, []);
    append_number(&mut out, 9, [4, 5]);
    assert_eq!(out, [1, 2, 3, 9, 4, 5]);
    for len in 0..=8 {
        let mut out = vec![7; 3];
        append_part(&mut out, 99, [1, 2, 3, 4, 5, 6, 7, 8], len);
        assert_eq!(out, [&[7, 7, 7, 99], &[1, 2, 3, 4, 5, 6, 7, 8][..len]].concat());
    }
}

#[test]
fn xml_classes_stop_where_their_twins_do() {
    check_class(XmlSpecial, xml_special, naive::xml_special);
    check_class(XmlControl, xml_control, naive::xml_control);
    check_class(XmlEscape, xml_escape, naive::xml_escape);
}

#[test]
fn every_byte_is_classed_as_its_twin_says() {
    for byte in (0..=255).step_by(if cfg!(miri) { 51 } else { 1 }) {
        let bytes = [byte; 97];
        assert_eq!(json_plain(&bytes, 1), naive::json_plain(&bytes, 1), "{byte}");
        assert_eq!(json_string_end(&bytes, 1), naive::json_string_end(&bytes, 1), "{byte}");
        assert_eq!(space_end(&bytes, 1), naive::space_end(&bytes, 1), "{byte}");
        assert_eq!(digits_end(&bytes, 1), naive::digits_end(&bytes, 1), "{byte}");
        assert_eq!(csv_special(&bytes, 1, b',', b'"'), naive::csv_special(&bytes, 1, b',', b'"'), "{byte}");
        assert_eq!(xml_special(&bytes, 1), naive::xml_special(&bytes, 1), "{byte}");
        assert_eq!(xml_control(&bytes, 1), naive::xml_control(&bytes, 1), "{byte}");
        assert_eq!(xml_escape(&bytes, 1), naive::xml_escape(&bytes, 1), "{byte}");
    }
}

#[test]
fn csv_index_lists_what_its_twin_lists() {
    each_input(|bytes, from| {
        for (delimiter, quote) in
            [(b',', b'"'), (b'c', b'e'), (0, b'"')].into_iter().take(if cfg!(miri) { 1 } else { 3 })
        {
            for to in [from, from.saturating_add(70), bytes.len() / 2, bytes.len(), usize::MAX] {
                let expected = naive::csv_index(bytes, from, to, delimiter, quote);
                let mut found = vec![7];
                let end = csv_index(bytes, from, to, delimiter, quote, &mut found);
                assert_eq!((found[0], &found[1..]), (7, &expected[..]), "{bytes:?} from {from} to {to}");
                assert_eq!(end, to.min(bytes.len()));
            }
            let start = from.min(bytes.len());
            let expected = naive::csv_index(bytes, start, usize::MAX, delimiter, quote);
            for level in Level::all() {
                let mut found = Vec::new();
                // SAFETY: the level is one of those available.
                unsafe { csv_index::index_at(level, CsvSpecial { delimiter, quote }, &bytes[start..], &mut found) };
                assert_eq!(found, expected, "{level:?}: {bytes:?} from {from}");
            }
        }
    });
}

#[test]
fn csv_index_finds_a_chunk_of_nothing_but_marks() {
    let bytes = [b','; 1000];
    for level in Level::all() {
        let mut found = Vec::new();
        // SAFETY: the level is one of those available.
        unsafe { csv_index::index_at(level, CsvSpecial { delimiter: b',', quote: b'"' }, &bytes, &mut found) };
        assert_eq!(found, (0..1000).collect::<Vec<u32>>());
    }
}

#[test]
fn csv_block_has_the_bits_of_its_twin() {
    each_input(|bytes, from| {
        for (delimiter, quote) in [(b',', b'"'), (b'c', b'e'), (0, b'"')] {
            assert_eq!(csv_block(bytes, from, delimiter, quote), naive::csv_block(bytes, from, delimiter, quote));
        }
    });
}

#[test]
fn newlines_are_counted_as_the_twin_counts() {
    each_input(|bytes, _| assert_eq!(count_newlines(bytes), naive::count_newlines(bytes)));
}

#[test]
fn characters_are_measured_as_the_twin_does() {
    let alphabets = [
        "a",
        "aé\u{80}\u{ff}",
        "aaaaaaaaaaaaaaaaaaa\u{ff}\u{100}",
        "\u{7ff}\u{800}\u{ffff}",
        "a\u{ffff}\u{10000}\u{10ffff}",
    ];
    let mut random = Random(0xcafe);
    for len in (0..=100).chain([500, 4000]).step_by(if cfg!(miri) { 17 } else { 1 }) {
        for alphabet in alphabets {
            let alphabet: Vec<char> = alphabet.chars().collect();
            let text: String = (0..len).map(|_| alphabet[random.below(alphabet.len())]).collect();
            let expected = naive::characters(&text);
            assert_eq!(characters(&text), expected, "{text:?}");
            for level in Level::all() {
                // SAFETY: the level is one of those available.
                assert_eq!(unsafe { characters_at(level, text.as_bytes()) }, expected, "{level:?}: {text:?}");
            }
        }
    }
}

#[test]
fn prefixes_are_the_bytes_or_padded() {
    each_input(|bytes, from| {
        assert_eq!(padded8(bytes, from).to_le_bytes(), naive::padded::<8>(bytes, from));
        assert_eq!(padded16(bytes, from).to_le_bytes(), naive::padded::<16>(bytes, from));
        let left = bytes.len().saturating_sub(from);
        assert_eq!(prefix8(bytes, from), (left >= 8).then(|| padded8(bytes, from)));
        assert_eq!(prefix16(bytes, from), (left >= 16).then(|| padded16(bytes, from)));
    });
}

/// Checks every operation of a vector type on every pair of bytes.
///
/// # Safety
/// The machine has the vectors `V`.
#[inline(always)]
unsafe fn check_vector<V: Vector>() {
    for a in (0..=255_u8).step_by(if cfg!(miri) { 51 } else { 1 }) {
        for b in (0..=255_u8).step_by(if cfg!(miri) { 85 } else { 1 }) {
            let (place, mut bytes) = (usize::from(a ^ b) % V::BYTES, [b; 32]);
            bytes[place] = a;
            // SAFETY: the caller guarantees that the machine has `V`; no vector is longer than 32 bytes.
            unsafe {
                let (mixed, same) = (V::load(bytes.as_ptr()), V::splat(b));
                let bit = |holds: bool| u64::from(holds) << place;
                let rest = ((1_u64 << V::BYTES) - 1) & !bit(true);
                assert_eq!(mixed.eq(same).mask(), rest | bit(a == b));
                assert_eq!(mixed.less_signed(same).mask(), bit(a.cast_signed() < b.cast_signed()));
                assert_eq!(mixed.at_most(same).mask(), rest | bit(a <= b));
                assert_eq!(mixed.mask(), if b < 0x80 { 0 } else { rest } | bit(a >= 0x80));
                assert_eq!(mixed.or(same).eq(V::splat(a | b)).mask() & bit(true), bit(true));
            }
        }
    }
}

#[test]
fn vectors_compare_as_bytes_do() {
    // SAFETY: every machine runs plain Rust.
    unsafe { check_vector::<Portable>() };
    // SAFETY: every machine of the target has the base.
    unsafe { check_vector::<Base>() };
    #[cfg(target_arch = "x86_64")]
    if Level::Avx2.available() {
        // SAFETY: the machine has AVX2.
        unsafe { check_vector::<std::arch::x86_64::__m256i>() };
    }
}

#[test]
fn only_available_levels_can_be_forced() {
    let before = level();
    for wanted in [Level::Scalar, Level::Sse2, Level::Avx2, Level::Neon] {
        assert_eq!(force_level(wanted), wanted.available());
        assert!(level().available());
    }
    assert!(force_level(before));
}

#[test]
fn csv_rows_understands_quotes_as_its_twin_does() {
    let alphabets: [&[u8]; 5] = [
        b"aaaaaa,\n",
        b"a,\r\n",
        b"aaaaaaaaaaaaaaaaa,,,\"\n",
        b"\",\n\r",
        b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"\"\"\",\n",
    ];
    let mut random = Random(0xc5b);
    let rounds = if cfg!(miri) { 3 } else { 400 };
    for round in 0..rounds * alphabets.len() {
        let mut bytes = Vec::new();
        let len = random.below(300);
        while bytes.len() < len {
            let cell = random.bytes(alphabets[round % alphabets.len()], 20);
            // Well-formed cells between random bytes, so that the sweep gets far.
            if random.below(3) > 0 {
                bytes.push(b'"');
                bytes.extend(cell.iter().flat_map(|byte| if *byte == b'"' { vec![b'"'; 2] } else { vec![*byte] }));
                bytes.extend_from_slice([&b"\","[..], b"\"\n", b"\"\r\n"][random.below(3)]);
            } else if random.below(8) > 0 {
                bytes.extend(cell.iter().filter(|byte| **byte != b'"'));
                bytes.push(b',');
            } else {
                bytes.extend(cell);
            }
        }
        for quote in [Some(b'"'), None] {
            let (marks, rows, odd) = naive::csv_rows(&bytes, b',', quote);
            let end = if odd == bytes.len() { odd } else { odd / 64 * 64 };
            let marks: Vec<u32> = marks.iter().filter(|at| **at < end).map(|at| *at as u32).collect();
            let rows: Vec<u32> = rows.iter().filter(|row| **row < marks.len()).map(|row| *row as u32).collect();
            for level in Level::all() {
                let mut found = (vec![7], vec![7]);
                let which = Marks { delimiter: b',', quote };
                // SAFETY: the level is one that the machine can run.
                let swept = unsafe { rows_at(level, which, &bytes, &mut found.0, &mut found.1) };
                assert_eq!(swept, end, "{level:?} {:?}", bytes.escape_ascii());
                assert_eq!(found.0[1..], marks, "{level:?} {:?}", bytes.escape_ascii());
                // `rows` has indexes in all of the marks.
                let places: Vec<u32> = found.1[1..].iter().map(|row| row - 1).collect();
                assert_eq!(places, rows, "{level:?} {:?}", bytes.escape_ascii());
            }
        }
    }
}

#[test]
fn short_texts_are_ascii_or_not() {
    for len in 0..40 {
        let text: Vec<u8> = (0..len as u8).map(|at| b'!' + at).collect();
        let expected = (len <= 32).then(|| core::str::from_utf8(&text).unwrap());
        assert_eq!(super::ascii_short(&text), expected);
        for at in 0..len {
            let mut other = text.clone();
            other[at] |= 0x80;
            assert_eq!(super::ascii_short(&other), None, "{len} {at}");
        }
    }
}

#[test]
fn short_utf8_is_what_the_standard_library_says() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 16
    };
    let mut valid = 0;
    for _ in 0..if cfg!(miri) { 1_000 } else { 300_000 } {
        // Bytes as characters of each length have them, and any others: about half of the shorter ones are text.
        let bytes: Vec<u8> = (0..next() % 12)
            .flat_map(|_| {
                let (low, any) = (0x80 | next() as u8 & 0x3F, next() as u8);
                match next() % 16 {
                    0 => vec![any],
                    1 => vec![0xE0 | any & 0xF, low],
                    2..=4 => vec![b'a', b'b'],
                    5..=8 => vec![0xC0 | any & 0x1F, low],
                    9..=12 => vec![0xE0 | any & 0xF, low, 0x80 | any >> 2],
                    _ => vec![0xF0 | any & 7, low, 0x80 | any >> 2, low],
                }
            })
            .collect();
        let text = std::str::from_utf8(&bytes).ok();
        assert_eq!(utf8_short(&bytes), text, "{bytes:x?}");
        valid += usize::from(text.is_some_and(|text| !text.is_ascii()));
    }
    assert!(valid > 100, "{valid}");
    for code in 0..=0x11_0000 {
        if let Some(character) = char::from_u32(code) {
            let text = character.to_string().repeat(3);
            assert_eq!(utf8_short(text.as_bytes()), Some(&*text));
        }
    }
}
