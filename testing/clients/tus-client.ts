import { request } from 'node:http';

export interface Answered {
  status: number;
  headers: Headers;
  body: string;
}

/** A client that sends a file in chunks to a running server, by the tus protocol. */
export function senderTo(origin: string, token: string | undefined) {
  const ask = async (
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: Uint8Array<ArrayBuffer>,
  ) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        'tus-resumable': '1.0.0',
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...headers,
      },
      ...(body ? { body } : {}),
    });
    const answered: Answered = {
      status: response.status,
      headers: response.headers,
      body: await response.text(),
    };
    return answered;
  };
  return {
    ask,
    begin: (kind: string, bytes: number, more: Record<string, string> = {}) =>
      ask('POST', '/api/uploads', {
        'upload-length': String(bytes),
        'upload-metadata': Object.entries({ kind, ...more })
          .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
          .join(','),
      }),
    patch: (address: string, offset: number, bytes: Uint8Array<ArrayBuffer>) =>
      ask(
        'PATCH',
        address,
        { 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
        bytes,
      ),
    /** The offset; undefined if the upload does not exist. */
    async offset(address: string): Promise<number | undefined> {
      const { status, headers } = await ask('HEAD', address);
      return status === 200 ? Number(headers.get('upload-offset')) : undefined;
    },
    finish: async (address: string) => {
      const { status, body } = await ask('POST', `${address}/finish`);
      return { status, body: JSON.parse(body) };
    },
    /** Announces all of these bytes and sends their beginning; the connection stays open until it is cut. */
    async startSending(address: string, bytes: Uint8Array, count: number, offset = 0) {
      const { hostname, port } = new URL(origin);
      const sending = request({
        hostname,
        port,
        method: 'PATCH',
        path: address,
        headers: {
          'tus-resumable': '1.0.0',
          authorization: `Bearer ${token}`,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': offset,
          'content-length': bytes.length,
        },
      });
      // Resolves at the end of the connection, whatever ends it.
      sending.on('error', () => undefined);
      sending.write(bytes.subarray(0, count));
      return {
        async cut() {
          if (sending.closed) return;
          const closed = new Promise((resolve) => sending.once('close', resolve));
          sending.destroy();
          await closed;
        },
      };
    },
  };
}
