/** Returns false if the clipboard is forbidden or the page has no HTTPS. */
export async function copyLink(address: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(address);
    return true;
  } catch {
    return false;
  }
}

/** Opens the device's share dialog; where there is none, or it fails, the link is copied. */
export async function sendLink(address: string): Promise<'sent' | 'copied' | 'refused'> {
  if ('share' in navigator) {
    try {
      await navigator.share({ url: address });
      return 'sent';
    } catch (error) {
      // The person has closed the dialog.
      if (error instanceof DOMException && error.name === 'AbortError') return 'sent';
    }
  }
  return (await copyLink(address)) ? 'copied' : 'refused';
}
