/** What the owner of a copy reads that waits for a person, because the earlier work was taken down. */
export const waitsForAPerson =
  'It looks like something that was taken down. It becomes public if a person finds that it is not.';
