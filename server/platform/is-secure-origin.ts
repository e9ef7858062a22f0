/** Whether the URL cannot be intercepted on the network: https, or http to this machine itself. */
export function isSecureOrigin(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
