//! Bits of a mask, 64 to a word, the lowest first.

use zerocopy::little_endian::U64;

/// Number of words that hold `bits` bits.
pub(crate) const fn words_for(bits: usize) -> usize {
    bits.div_ceil(64)
}

/// What a mask is made from: deleted rows are set in zeros, or live ones left in ones.
pub(crate) const fn ground<const LIVE: bool>() -> u64 {
    if LIVE { u64::MAX } else { 0 }
}

/// Inverts the bits from `start` to `last`, both included, which are all as in the ground.
#[inline]
pub(crate) fn flip_bits<const LIVE: bool>(out: &mut [u64], start: usize, last: usize) {
    let (head, tail) = (u64::MAX << (start & 63), u64::MAX >> (63 - (last & 63)));
    let Some(words) = out.get_mut(start >> 6..=last >> 6) else { return };
    match words {
        [] => {}
        [only] => *only ^= head & tail,
        [first, between @ .., last] => {
            *first ^= head;
            between.fill(!ground::<LIVE>());
            *last ^= tail;
        }
    }
}

/// Clears the bits behind the first `bits` ones, up to the end of their word, which is the last of `out`.
#[inline]
pub(crate) fn clear_tail(out: &mut [u64], bits: usize) {
    if let (Some(last), true) = (out.last_mut(), bits & 63 != 0) {
        *last &= u64::MAX >> (64 - (bits & 63));
    }
}

/// Sets every word to the ground.
#[inline]
pub(crate) fn fill<const LIVE: bool>(out: &mut [u64]) {
    // The batch of most engines: stores in a row, where `fill` would call a function.
    if let Ok(batch) = <&mut [u64; 32]>::try_from(&mut *out) {
        *batch = [ground::<LIVE>(); 32];
    } else {
        out.fill(ground::<LIVE>());
    }
}

/// Writes the bits of `source` from `from` on, inverted in a live mask, into all of `out`.
#[inline]
pub(crate) fn copy_bits<const LIVE: bool>(out: &mut [u64], source: &[U64; 1024], from: usize) {
    let (index, bit) = (from >> 6, from & 63);
    let lows = source.get(index..).unwrap_or_default();
    if bit == 0 {
        for (word, low) in out.iter_mut().zip(lows) {
            *word = low.get() ^ ground::<LIVE>();
        }
        return;
    }
    let highs = lows.get(1..).unwrap_or_default();
    let inner = out.len().min(highs.len());
    for ((word, low), high) in out.iter_mut().zip(lows).zip(highs) {
        *word = (low.get() >> bit | high.get() << (64 - bit)) ^ ground::<LIVE>();
    }
    // The last word of the source has no other to take high bits from.
    if let (Some(word), Some(low)) = (out.get_mut(inner), lows.get(inner)) {
        *word = low.get() >> bit ^ ground::<LIVE>();
    }
}

/// Inverts those bits of `out` from `to` on that are set in `source` from `from` on, `len` of them.
pub(crate) fn flip_copied(out: &mut [u64], to: usize, source: &[U64], from: usize, len: usize) {
    let Some(last) = to.checked_add(len).and_then(|end| end.checked_sub(1)).filter(|_| len > 0) else { return };
    let Some(words) = out.get_mut(to >> 6..=last >> 6) else { return };
    // Word `k` of `words` takes the 64 source bits from `base + 64 k` on, where `base` may lie up to 63 before 0.
    let shift = to & 63;
    let (head, tail) = (u64::MAX << shift, u64::MAX >> (63 - (last & 63)));
    let word = |index: usize| source.get(index).map_or(0, |word| word.get());
    let at = |start: usize| {
        let (index, bit) = (start >> 6, start & 63);
        let low = word(index) >> bit;
        if bit == 0 { low } else { low | word(index.saturating_add(1)) << (64 - bit) }
    };
    let first_bits = at(from) << shift;
    match words {
        [] => {}
        [only] => *only ^= first_bits & head & tail,
        [first, between @ .., last] => {
            *first ^= first_bits & head;
            let next = from.saturating_add(64 - shift);
            let (index, bit) = (next >> 6, next & 63);
            let lows = source.get(index..).unwrap_or_default();
            if bit == 0 {
                for (word, low) in between.iter_mut().zip(lows) {
                    *word ^= low.get();
                }
            } else {
                let highs = lows.get(1..).unwrap_or_default();
                for ((word, low), high) in between.iter_mut().zip(lows).zip(highs) {
                    *word ^= low.get() >> bit | high.get() << (64 - bit);
                }
            }
            *last ^= at(next.saturating_add(between.len().saturating_mul(64))) & tail;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    fn bit(words: &[u64], at: usize) -> bool {
        words[at / 64] >> (at % 64) & 1 == 1
    }

    #[test]
    fn flip_bits_flips_those_and_no_others() {
        for start in 0..200 {
            for last in start..200 {
                let (mut out, mut live) = ([0; 4], [u64::MAX; 4]);
                flip_bits::<false>(&mut out, start, last);
                flip_bits::<true>(&mut live, start, last);
                assert!((0..256).all(|at| bit(&out, at) == (start..=last).contains(&at)), "{start}..={last}");
                assert!(out.iter().zip(&live).all(|(one, other)| *one == !other), "{start}..={last}");
            }
        }
    }

    #[test]
    fn flip_copied_moves_any_span_anywhere() {
        let source: Vec<u64> =
            (1..7_u64).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ i.wrapping_mul(0xD134_2543)).collect();
        let stored: Vec<U64> = source.iter().copied().map(U64::new).collect();
        for ground in [0, u64::MAX] {
            for from in (0..130).chain([190, 191, 192]) {
                for to in [0, 1, 17, 63, 64, 65, 100, 127, 128] {
                    for len in [0, 1, 2, 31, 63, 64, 65, 126, 127, 128, 129, 190] {
                        let mut out = [ground; 6];
                        flip_copied(&mut out, to, &stored, from, len);
                        for at in 0..384 {
                            let expected = (to..to + len).contains(&at) && bit(&source, from + at - to);
                            let found = bit(&out, at) != (ground != 0);
                            assert_eq!(found, expected, "from {from} to {to} len {len} at {at}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn clear_tail_clears_no_more() {
        for bits in 1..=128 {
            let mut out = [u64::MAX; 2];
            let used = words_for(bits);
            clear_tail(&mut out[..used], bits);
            assert!((0..used * 64).all(|at| bit(&out, at) == (at < bits)), "{bits}");
        }
    }
}
