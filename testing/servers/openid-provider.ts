import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK } from 'jose';
import Provider from 'oidc-provider';
import { makeKey } from './issuer.ts';

export interface OpenIdProvider {
  /** Its issuer name: an address on loopback. */
  issuer: string;
  clientId: string;
  /** Sets the address of the site; until then it redirects to no site. */
  register(origin: string): void;
  close(): Promise<void>;
}

/**
 * A real OpenID provider on loopback, with its own login and consent pages. A login as `asha` is the
 * subject `asha` with the verified address asha@provider.example and the name "Asha of the provider".
 */
export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const clientId = 'jhalak';
  const key = await makeKey();
  let provider: ReturnType<Provider['callback']> | undefined;
  const server = createServer((request, response) => {
    if (provider) void provider(request, response);
    else response.writeHead(503).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const jwk = { ...(await exportJWK(key.privateKey)), kid: key.kid, alg: 'RS256', use: 'sig' };
  return {
    issuer,
    clientId,
    register(origin) {
      provider = new Provider(issuer, {
        clients: [
          {
            client_id: clientId,
            // Only native clients may use a loopback redirect without https.
            application_type: 'native',
            token_endpoint_auth_method: 'none',
            redirect_uris: [`${origin}/LoginGoogle/return`],
            post_logout_redirect_uris: [`${origin}/LoginGoogle`],
            response_types: ['id_token'],
            grant_types: ['implicit'],
          },
        ],
        jwks: { keys: [jwk as never] },
        cookies: { keys: ['of this test alone'] },
        ttl: { Interaction: 600, Session: 600, Grant: 600, IdToken: 600 },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_context, sub) => ({
          accountId: sub,
          claims: () => ({
            sub,
            email: `${sub}@provider.example`,
            email_verified: !sub.startsWith('unverified'),
            name: `${sub[0]?.toUpperCase()}${sub.slice(1)} of the provider`,
          }),
        }),
      }).callback();
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
