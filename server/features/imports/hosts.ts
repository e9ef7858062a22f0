/** The only hosts, with their subdomains, that imports may contact (decisions §3). */
export const importHosts = [
  'youtube.com',
  'youtu.be',
  'googlevideo.com',
  'ytimg.com',
  'instagram.com',
  'cdninstagram.com',
  'fbcdn.net',
];

export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

/** Throws unless this address may be requested: https, default port, no user name, a host of the list. */
export function checkAddress(address: URL, hosts: readonly string[] = importHosts): void {
  const { protocol, port, username, password, hostname } = address;
  if (protocol !== 'https:') throw new ForbiddenAddress(`the scheme ${protocol} is not https`);
  // URL omits the default port.
  if (port !== '') throw new ForbiddenAddress(`the port ${port} is not 443`);
  if (username !== '' || password !== '')
    throw new ForbiddenAddress('the address carries a name or password');
  checkHost(hostname, hosts);
}

/** Throws unless this host is allowed. It must be written as URL normalizes it. */
export function checkHost(hostname: string, hosts: readonly string[] = importHosts): void {
  const isOurs = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (!isOurs || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname))
    throw new ForbiddenAddress(`the host ${hostname} is not on the list`);
}
