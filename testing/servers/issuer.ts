import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTHeaderParameters, SignJWT } from 'jose';

export const testClientId = 'jhalak-test';

interface Key {
  kid: string;
  alg: string;
  publicKey: CryptoKey;
  privateKey: CryptoKey;
}

export interface TestIssuer {
  /** Its issuer name: an address on loopback. */
  name: string;
  /** Its signing key, the newest of those it publishes. */
  key(): Key;
  /** Publishes another key instead of the previous ones. */
  rotate(alg?: string): Promise<Key>;
  sign(claims: object, header?: Partial<JWTHeaderParameters>, by?: CryptoKey | Uint8Array): Promise<string>;
  /** The status of its responses; 200 if it works. */
  status: { value: number };
  /** Additional fields of its discovery document. */
  extra: Record<string, unknown>;
  /** Number of requests for its keys. */
  requests(): number;
  close(): Promise<void>;
}

export async function makeKey(alg = 'RS256'): Promise<Key> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return { kid: crypto.randomUUID(), alg, ...pair };
}

/** An OpenID Connect issuer on loopback whose keys and claims the test controls. */
export async function startIssuer(): Promise<TestIssuer> {
  let key = await makeKey();
  let requests = 0;
  const status = { value: 200 };
  const extra: Record<string, unknown> = {};
  const server = createServer(async (request, response) => {
    const isKeys = request.url === '/keys';
    if (isKeys) requests += 1;
    const published = { ...(await exportJWK(key.publicKey)), kid: key.kid, alg: key.alg, use: 'sig' };
    const description = {
      issuer: name,
      authorization_endpoint: `${name}/authorize`,
      jwks_uri: `${name}/keys`,
      ...extra,
    };
    response.writeHead(status.value, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isKeys ? { keys: [published] } : description));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const name = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    name,
    status,
    extra,
    key: () => key,
    async rotate(alg) {
      key = await makeKey(alg);
      return key;
    },
    sign: (claims, header = {}, by = key.privateKey) =>
      new SignJWT({ ...claims }).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(by),
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
