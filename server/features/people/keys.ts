/** What two spellings of one address or username have in common. */
export function keyOf(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
