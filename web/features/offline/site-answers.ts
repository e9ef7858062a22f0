/** Whether the site responds now. `navigator.onLine` is not used, because it may be wrong. */
export async function siteAnswers(): Promise<boolean> {
  try {
    await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}
