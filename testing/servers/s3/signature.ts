import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface Credentials {
  accessKey: string;
  secretKey: string;
  region: string;
}

const minute = 60_000;

/** Why a request is rejected by AWS Signature Version 4, in a header or in the URL; undefined if it is valid. */
export function refusedBy(credentials: Credentials, request: IncomingMessage, now: Date): string | undefined {
  const [path = '', search = ''] = (request.url ?? '').split('?');
  const query = search
    .split('&')
    .filter(Boolean)
    .map((pair) => pair.split('=').map((part) => decodeURIComponent(part)))
    .map(([name = '', value = '']): [string, string] => [name, value]);
  const signed = inHeader(request) ?? inAddress(query);
  if (!signed) return 'AccessDenied';
  const { accessKey, secretKey, region } = credentials;
  const at = dateOf(signed.date);
  const scope = `${signed.date.slice(0, 8)}/${region}/s3/aws4_request`;
  if (signed.credential !== `${accessKey}/${scope}`) return 'InvalidAccessKeyId';
  if (signed.seconds === undefined) {
    if (Math.abs(now.getTime() - at.getTime()) > 15 * minute) return 'RequestTimeTooSkewed';
  } else if (now.getTime() > at.getTime() + signed.seconds * 1000) return 'AccessDenied';
  if (!signed.headers.includes('host')) return 'AccessDenied';

  const canonical = [
    request.method,
    path
      .split('/')
      .map((part) => encoded(decodeURIComponent(part)))
      .join('/'),
    query
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&'),
    ...signed.headers.map(
      (name) =>
        `${name}:${String(request.headers[name] ?? '')
          .trim()
          .replace(/\s+/g, ' ')}`,
    ),
    '',
    signed.headers.join(';'),
    signed.payload,
  ].join('\n');
  const text = [
    'AWS4-HMAC-SHA256',
    signed.date,
    scope,
    createHash('sha256').update(canonical).digest('hex'),
  ].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretKey}`);
  const right = hmac(key, text);
  const claimed = Buffer.from(signed.signature, 'hex');
  return claimed.length === right.length && timingSafeEqual(claimed, right)
    ? undefined
    : 'SignatureDoesNotMatch';
}

function inHeader({ headers }: IncomingMessage) {
  const [, credential, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    ) ?? [];
  const [date, payload] = [headers['x-amz-date'], headers['x-amz-content-sha256']];
  if (!credential || !names || !signature || typeof date !== 'string' || typeof payload !== 'string')
    return undefined;
  return { credential, headers: names.split(';'), signature, date, payload, seconds: undefined };
}

function inAddress(query: [string, string][]) {
  const all = new Map(query);
  const of = (name: string) => all.get(`X-Amz-${name}`) ?? '';
  if (of('Algorithm') !== 'AWS4-HMAC-SHA256') return undefined;
  return {
    credential: of('Credential'),
    headers: of('SignedHeaders').split(';'),
    signature: of('Signature'),
    date: of('Date'),
    payload: 'UNSIGNED-PAYLOAD',
    seconds: Number(of('Expires')),
  };
}

const dateOf = (text: string) =>
  new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
const encoded = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
