/** Dropped or pasted files of the wanted type. If there are none: the first file, so that an error can be shown for it. */
export function filesFrom(given: DataTransfer | null, typePrefix: string): File[] {
  const files = [...(given?.files ?? [])];
  const wanted = files.filter((file) => file.type.startsWith(typePrefix));
  return wanted.length > 0 ? wanted : files.slice(0, 1);
}

/** Opens the browser's file chooser; empty if the person cancels. */
export function chooseFiles(accept: string): Promise<File[]> {
  const input = Object.assign(document.createElement('input'), { type: 'file', accept, multiple: true });
  return new Promise((resolve) => {
    input.addEventListener('change', () => resolve([...(input.files ?? [])]));
    input.addEventListener('cancel', () => resolve([]));
    input.click();
  });
}

/** A word processor also puts a picture of the text on the clipboard. Pasted into a text field, only the text is wanted. */
export function isTextPaste(event: ClipboardEvent): boolean {
  const inField = event.target instanceof Element && event.target.closest('input, textarea') !== null;
  return inField && event.clipboardData?.types.includes('text/plain') === true;
}
