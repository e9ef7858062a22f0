import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createGuard, type Guard } from '#server/features/imports/guarded-fetch.ts';
import { internet, type Network } from '#server/features/imports/network.ts';

export interface Site {
  port: number;
  /** `host path` of its requests, in order. */
  requests: string[];
  close(): Promise<void>;
}

/** A server on loopback that answers for every host of the internet, without TLS (see `networkTo`). */
export async function startSite(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Site> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.headers.host}${request.url}`);
    answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

/** A network that resolves every name to `site`, without TLS. Hosts, scheme, port and redirects are checked as usual. */
export function networkTo(site: Pick<Site, 'port'>): Network {
  return {
    ...internet,
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    isAllowed: (address) => address === '127.0.0.1',
    dial: () => connect(site.port, '127.0.0.1'),
    secure: async (socket) => socket,
  };
}

export const guardTo = (site: Pick<Site, 'port'>): Guard => createGuard(networkTo(site));
