import { type LookupAddress, lookup } from 'node:dns';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { isPublicAddress } from './addresses.ts';

/** What a guarded fetch needs of the network. Only a test ever brings another than `internet`. */
export interface Network {
  resolve(host: string): Promise<LookupAddress[]>;
  /** Whether this machine may be connected with an IP address. */
  isAllowed(address: string): boolean;
  /** Opens a connection to one of these addresses, resolved and allowed. */
  dial(host: string, port: number, addresses: LookupAddress[]): Socket;
  /** Makes a connection private; resolves when the other side has shown that it is `host`. */
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
      // The addresses that were judged are the ones that are dialled: a name is never resolved twice.
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
