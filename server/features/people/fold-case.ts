/** Makes e-mail addresses and usernames equal that differ only in case or in their Unicode encoding. */
export function foldCase(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
