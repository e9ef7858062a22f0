/**
 * Whether what is said over this address is said by who it names: https, or plain http that never leaves the machine.
 */
export function isSecureOrigin(address: string): boolean {
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
}
