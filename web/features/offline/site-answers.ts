/** Whether anything comes from the site now; what the browser says of its network is not asked, which may be wrong. */
export async function siteAnswers(): Promise<boolean> {
  try {
    await fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' });
    return true;
  } catch {
    return false;
  }
}
