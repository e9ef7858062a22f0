import { once } from 'node:events';
import { createServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { codeOf } from '../platform/files.ts';
import { StartupError } from '../platform/startup-error.ts';

/** Length of the system's queue of new connections. A client that finds it full tries again only after seconds. */
const backlog = 4096;

/** Listens, and returns the URL for people. A used port or a foreign address throws one sentence. */
export async function listen(
  app: FastifyInstance,
  host: string,
  port: number,
  variable = 'PORT',
): Promise<string> {
  try {
    const address = await app.listen({ host, port, backlog });
    return address
      .replace('127.0.0.1', 'localhost')
      .replace('[::1]', 'localhost')
      .replace('0.0.0.0', 'localhost');
  } catch (error) {
    throw asStartupError(error, host, port, variable);
  }
}

/** Listens for a moment, so that an address that cannot be used is reported before anything is started. */
export async function checkAddress(host: string, port: number, variable = 'PORT'): Promise<void> {
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
  } catch (error) {
    throw asStartupError(error, host, port, variable);
  }
  server.close();
  await once(server, 'close');
}

function asStartupError(error: unknown, host: string, port: number, variable: string): unknown {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return new StartupError(
      `Port ${port} is taken by another program; choose one with ${variable}=… npm start.`,
    );
  }
  if (code === 'EACCES')
    return new StartupError(
      `This user may not listen on port ${port}; choose one above 1023 with ${variable}=….`,
    );
  if (['EADDRNOTAVAIL', 'EINVAL', 'ENOTFOUND', 'EAI_AGAIN'].includes(code)) {
    return new StartupError(
      `This machine has no address ${host}; set ${variable.replace('PORT', 'HOST')} to one it has, such as 127.0.0.1.`,
    );
  }
  return error;
}
