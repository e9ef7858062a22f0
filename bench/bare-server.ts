import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The least that a server on Node can do: the same response for everybody, with the headers that Node does not write itself. */
const [{ headers, body }] = (await once(process, 'message')) as [{ headers: string[]; body: string }];
const bytes = Buffer.from(body, 'base64');
const ofNode = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);
const sent = ['content-length', String(bytes.length)];
for (let at = 0; at < headers.length; at += 2) {
  const name = headers[at] ?? '';
  if (!ofNode.has(name.toLowerCase())) sent.push(name, headers[at + 1] ?? '');
}

const server = createServer((_request, response) => {
  response.writeHead(200, sent);
  response.end(bytes);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit(0));
