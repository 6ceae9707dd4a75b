//! Cutting a batch into pieces of a few sizes only, so that the statements made of them have a few
//! texts only and all of them stay prepared.

const SIZES: [usize; 7] = [64, 32, 16, 8, 4, 2, 1];

/// The pieces, each as long as one of the sizes, the longest first.
pub(crate) fn chunks<T>(mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = SIZES.into_iter().find(|size| *size <= rest.len())?;
        let (chunk, after) = rest.split_at(size);
        rest = after;
        Some(chunk)
    })
}

#[cfg(test)]
mod tests {
    use super::chunks;

    #[test]
    fn every_row_is_in_one_piece_and_the_pieces_have_few_sizes() {
        let batch: Vec<_> = (0..151).collect();
        let pieces: Vec<_> = chunks(&batch).collect();
        assert_eq!(pieces.iter().map(|piece| piece.len()).collect::<Vec<_>>(), [64, 64, 16, 4, 2, 1]);
        assert_eq!(pieces.concat(), batch);
        assert_eq!(chunks::<u8>(&[]).count(), 0);
    }
}
