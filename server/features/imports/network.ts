import { type LookupAddress, lookup } from 'node:dns';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { isPublicAddress } from './addresses.ts';

/** The network functions of a guarded fetch. Tests replace them. */
export interface Network {
  resolve(host: string): Promise<LookupAddress[]>;
  /** Whether connections to this IP address are allowed. */
  isAllowed(address: string): boolean;
  /** Connects to one of these addresses, which have been resolved and checked. */
  dial(host: string, port: number, addresses: LookupAddress[]): Socket;
  /** Starts TLS; resolves when the certificate of `host` is verified. */
  secure(socket: Socket, host: string): Promise<Socket>;
}

const resolveAll = promisify(lookup);

export const internet: Network = {
  resolve: (host) => resolveAll(host, { all: true }),
  isAllowed: isPublicAddress,
  dial: (host, port, addresses) =>
    connect({
      host,
      port,
      // Connects to the checked addresses: a name is never resolved twice.
      lookup: (_host, { all }, answer) => {
        const [first] = addresses;
        if (all) answer(null, addresses);
        else answer(null, first?.address ?? '', first?.family);
      },
    }),
  async secure(socket, host) {
    const secured = connectTls({ socket, servername: host, ALPNProtocols: ['http/1.1'] });
    await once(secured, 'secureConnect');
    return secured;
  },
};
