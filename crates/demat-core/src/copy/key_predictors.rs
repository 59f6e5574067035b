use super::site::Site;
use crate::KeyPredictor;

/// What the maps of a copy without a shape are like, place by place.
///
/// Documents without a shape mostly are records all the same: at each of their places, maps with the same keys again and
/// again, which a source can compare faster than read.
#[derive(Debug, Default)]
pub(super) struct KeyPredictors {
    places: Vec<MapSite>,
    /// Where the place of a site is, plus one; a power of two in number, and less than half of them in use.
    buckets: Vec<u16>,
}

#[derive(Debug)]
struct MapSite {
    site: Site,
    predictor: KeyPredictor<()>,
    /// Whether there was a map before: what comes once is not worth learning.
    learning: bool,
    /// Whether the copy is inside of a map here.
    open: bool,
}

/// A bound for documents whose places have no end.
const MOST: usize = 512;

impl KeyPredictors {
    /// A map begins at this place. Nothing where there is no predictor to be had.
    #[inline]
    pub(super) fn open(&mut self, site: Site) -> Option<usize> {
        let mut bucket = if self.buckets.is_empty() { 0 } else { site.bucket(self.buckets.len()) };
        while let Some(index) = self.buckets.get(bucket).copied().unwrap_or(0).checked_sub(1) {
            let place = &mut self.places[usize::from(index)];
            if place.site == site {
                // Two sites with one hash, one in the other, are not to learn from each other while both are open.
                if place.open || place.predictor.is_full() {
                    return None;
                }
                place.open = true;
                place.learning = true;
                return Some(usize::from(index));
            }
            bucket = (bucket + 1) & (self.buckets.len() - 1);
        }
        self.add(site)
    }

    #[cold]
    fn add(&mut self, site: Site) -> Option<usize> {
        let index = self.places.len();
        if index == MOST {
            return None;
        }
        self.places.push(MapSite { site, predictor: KeyPredictor::default(), learning: false, open: true });
        let grows = self.buckets.len() < 2 * self.places.len();
        if grows {
            self.buckets = vec![0; (4 * self.places.len()).next_power_of_two()];
        }
        for (index, place) in self.places.iter().enumerate().skip(if grows { 0 } else { index }) {
            let mut bucket = place.site.bucket(self.buckets.len());
            while self.buckets[bucket] != 0 {
                bucket = (bucket + 1) & (self.buckets.len() - 1);
            }
            self.buckets[bucket] = index as u16 + 1;
        }
        Some(index)
    }

    /// The map ended.
    #[inline]
    pub(super) fn close(&mut self, index: usize) {
        self.places[index].open = false;
    }

    #[inline]
    pub(super) fn predictor(&mut self, index: usize) -> &mut KeyPredictor<()> {
        &mut self.places[index].predictor
    }

    /// The index of a key that came after another; one that is news is learned, if that is worth it.
    pub(super) fn find(&mut self, index: usize, after: Option<usize>, key: &str) -> Option<usize> {
        let MapSite { predictor, learning, .. } = &mut self.places[index];
        let known = predictor.find(key, after);
        if known.is_none() && *learning { predictor.add(after, key, ()) } else { known }
    }
}
