/** Returns false if the clipboard is forbidden or the page has no HTTPS. */
export async function copyText(words: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}

/** Opens the device's share dialog. Returns false if it fails; that the person closed it is no failure. */
export async function sendLink(address: string): Promise<boolean> {
  try {
    await navigator.share({ url: address });
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError';
  }
}
