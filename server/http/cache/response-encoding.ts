import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

export type Encoding = 'br' | 'gzip' | 'identity';

const encoders = {
  br: (body: Buffer) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (body: Buffer) => promisify(gzip)(body),
};

/** Compressing a smaller body saves nothing. */
const threshold = 1024;

const encoded = new WeakMap<object, Partial<Record<Encoding, Promise<Buffer>>>>();

interface Negotiated {
  /** The smallest encoding that the client accepts; undefined if it accepts none of ours. */
  encoding: Encoding | undefined;
  /** Whether the client refuses a response that is not encoded (RFC 9110 §12.5.3). */
  refusesIdentity: boolean;
}

/** Headers that nearly all clients send. */
const common = new Map<string | undefined, Negotiated>();
const maxCommon = 200;

/** What a client accepts by its `Accept-Encoding`. */
export function negotiateEncoding(accepted: string | undefined): Negotiated {
  const known = common.get(accepted);
  if (known) return known;
  const read = readAccepted(accepted ?? '');
  if (common.size >= maxCommon) common.clear();
  common.set(accepted, read);
  return read;
}

function readAccepted(accepted: string): Negotiated {
  const weights = new Map(
    accepted.split(',').map((entry) => {
      const [name = '', ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
      return [name === 'x-gzip' ? 'gzip' : name, weight ? Number.parseFloat(weight.split('=')[1] ?? '') : 1];
    }),
  );
  const refuses = (name: string) => (weights.get(name) ?? weights.get('*')) === 0;
  const takes = (name: string) => ((weights.get(name) ?? weights.get('*')) || 0) > 0;
  const refusesIdentity = refuses('identity');
  const encoding = takes('br') ? 'br' : takes('gzip') ? 'gzip' : refusesIdentity ? undefined : 'identity';
  return { encoding, refusesIdentity };
}

/** The encoding for a request; `identity` if none suits, since such requests are refused. */
export const encodingOf = (accepted: string | undefined): Encoding =>
  negotiateEncoding(accepted).encoding ?? 'identity';

/** Compresses a response, once per encoding while it is cached. A short body is returned as it is. */
export async function encodeResponse(response: { body: Buffer }, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity' || response.body.length < threshold) return response.body;
  return await encodeOnce(response, encoding);
}

/** Compresses a body of any length, once while `response` lives. */
export async function encodeOnce(response: { body: Buffer }, encoding: Encoding): Promise<Buffer> {
  if (encoding === 'identity') return response.body;
  const known = encoded.get(response) ?? {};
  encoded.set(response, known);
  known[encoding] ??= encoders[encoding](response.body);
  return await known[encoding];
}
