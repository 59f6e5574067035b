use super::site::Site;
use crate::KeyPredictor;

/// A table of key predictors for copies without a shape, one for each site in the document.
///
/// Most documents without a shape still hold records: at each site, the same keys repeat. A source compares an expected
/// key faster than it reads an unknown one.
#[derive(Debug, Default)]
pub(super) struct KeyPredictors {
    sites: Vec<MapSite>,
    /// A hash table of one-based indices into `sites`. Its length is a power of two, and less than half of it is in
    /// use.
    buckets: Vec<u16>,
}

#[derive(Debug)]
struct MapSite {
    site: Site,
    predictor: KeyPredictor<()>,
    /// Whether the site had a map before: keys that occur once are not learnt.
    learning: bool,
    /// Whether the copy is inside a map at this site.
    open: bool,
}

/// The maximum number of sites.
const MOST: usize = 512;

impl KeyPredictors {
    /// Begins a map at a site. Returns the index of its predictor, if one is available.
    #[inline]
    pub(super) fn open(&mut self, site: Site) -> Option<usize> {
        let mut bucket = if self.buckets.is_empty() { 0 } else { site.bucket(self.buckets.len()) };
        while let Some(index) = self.buckets.get(bucket).copied().unwrap_or(0).checked_sub(1) {
            let entry = &mut self.sites[usize::from(index)];
            if entry.site == site {
                // Nested sites with equal hashes must not share a predictor.
                if entry.open || entry.predictor.is_full() {
                    return None;
                }
                entry.open = true;
                entry.learning = true;
                return Some(usize::from(index));
            }
            bucket = (bucket + 1) & (self.buckets.len() - 1);
        }
        self.add(site)
    }

    #[cold]
    fn add(&mut self, site: Site) -> Option<usize> {
        let index = self.sites.len();
        if index == MOST {
            return None;
        }
        self.sites.push(MapSite { site, predictor: KeyPredictor::default(), learning: false, open: true });
        let grows = self.buckets.len() < 2 * self.sites.len();
        if grows {
            self.buckets = vec![0; (4 * self.sites.len()).next_power_of_two()];
        }
        for (index, entry) in self.sites.iter().enumerate().skip(if grows { 0 } else { index }) {
            let mut bucket = entry.site.bucket(self.buckets.len());
            while self.buckets[bucket] != 0 {
                bucket = (bucket + 1) & (self.buckets.len() - 1);
            }
            self.buckets[bucket] = index as u16 + 1;
        }
        Some(index)
    }

    /// Ends a map.
    #[inline]
    pub(super) fn close(&mut self, index: usize) {
        self.sites[index].open = false;
    }

    #[inline]
    pub(super) fn predictor(&mut self, index: usize) -> &mut KeyPredictor<()> {
        &mut self.sites[index].predictor
    }

    /// Returns the index of a key that follows another; learns a new key at the second map.
    pub(super) fn find(&mut self, index: usize, after: Option<usize>, key: &str) -> Option<usize> {
        let MapSite { predictor, learning, .. } = &mut self.sites[index];
        let known = predictor.find(key, after);
        if known.is_none() && *learning { predictor.add(after, key, ()) } else { known }
    }
}
