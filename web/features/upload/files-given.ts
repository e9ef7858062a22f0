/** The files that somebody dropped or pasted: those of the wanted type, else the first, to be told what is wrong with it. */
export function filesGiven(given: DataTransfer | null, typePrefix: string): File[] {
  const files = [...(given?.files ?? [])];
  const wanted = files.filter((file) => file.type.startsWith(typePrefix));
  return wanted.length > 0 ? wanted : files.slice(0, 1);
}

/** Asks a person for files; none where they think better of it. */
export function chooseFiles(accept: string): Promise<File[]> {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept, multiple: true });
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}

/** Words pasted into a field may bring a picture of themselves along (from a text processor): they are meant as words. */
export function isMeantAsWords(event: ClipboardEvent): boolean {
  const inField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  return inField && event.clipboardData?.types.includes('text/plain') === true;
}
