/** The reason shown to the owner of a copy that waits for a review, because the earlier work was taken down. */
export const waitsForReview =
  'It looks like something that was taken down. It becomes public if a person finds that it is not.';
