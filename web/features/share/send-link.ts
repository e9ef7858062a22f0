/** Returns false if the clipboard is forbidden or the page has no HTTPS. */
export async function copyText(words: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(words);
    return true;
  } catch {
    return false;
  }
}

/** Opens the device's share dialog. That the person closed it is no failure. */
export async function sendLink(address: string): Promise<'sent' | 'closed' | 'failed'> {
  try {
    await navigator.share({ url: address });
    return 'sent';
  } catch (error) {
    return error instanceof DOMException && error.name === 'AbortError' ? 'closed' : 'failed';
  }
}
