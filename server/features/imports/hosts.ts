/** Whom an import may talk to: these and their subdomains. The one place where they stand (decisions §3). */
const hosts = [
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

/** Throws unless an import may ask for this address: https, its own port, nobody's name in it, one of our hosts. */
export function judgeAddress(address: URL): void {
  const { protocol, port, username, password, hostname } = address;
  if (protocol !== 'https:') throw new ForbiddenAddress(`the scheme ${protocol} is not https`);
  // An URL leaves the scheme's own port out.
  if (port !== '') throw new ForbiddenAddress(`the port ${port} is not 443`);
  if (username !== '' || password !== '')
    throw new ForbiddenAddress('the address carries a name or password');
  judgeHost(hostname);
}

/** Throws unless a host, as an URL spells it, is one of ours. */
export function judgeHost(hostname: string): void {
  const isOurs = hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
  if (!isOurs || !/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(hostname))
    throw new ForbiddenAddress(`the host ${hostname} is not on the list`);
}
