/** The file was changed, moved or deleted since the person chose it, so the browser no longer reads it. */
export class ChangedFile extends Error {
  override readonly name = 'ChangedFile';
}

/** Whether the browser still reads the file that was chosen. */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
