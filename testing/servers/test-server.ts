import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { createServer, type Server } from '#server/boot/create-server.ts';
import type { Outside } from '#server/boot/outside.ts';
import { readConfig } from '#server/config.ts';
import { logIn } from '#server/features/accounts/log-in.ts';
import { placesWith } from '#server/features/accounts/places.ts';
import type { Site } from '#server/http/pages/page-renderer.ts';
import type { Clock } from '#server/platform/clock.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { freshDatabase } from './postgres.ts';

export interface TestServer extends Server {
  /** Scheme and host of its pages. */
  origin: string;
  dataDir: string;
  /** Of its database. */
  url: string;
  /** A request from a browser with its own address, so that tests do not share rate limits. */
  inject: (options: InjectOptions) => Promise<LightMyRequestResponse>;
  /** The server's time; assign to change it. */
  now: { value: Date };
}

interface Surroundings {
  site?: Site;
  outside?: Outside;
  /** Another address under which the server reaches its database. */
  through?: (url: string) => Promise<string>;
  /** Collects the lines of the log, as JSON. */
  log?: string[];
}

/** A whole server with its own database and folder, without mocks; it answers `app.inject` and does not listen on a port. */
export async function startTestServer(
  settings: Record<string, string> = {},
  { site, outside, through, log }: Surroundings = {},
): Promise<TestServer> {
  const database = await freshDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'jhalak-test-'));
  const now = { value: new Date() };
  let pinned = false;
  const clock: Clock = () => (pinned ? now.value : new Date());
  // Tests of rules send many requests at once and need all responses; load shedding has tests of its own.
  // Renditions of photos that are made later have tests of their own, too.
  // Other tests keep the machine busy, and media tasks must end in time.
  const usual = {
    JHALAK_DEMO: 'off',
    MAX_CONCURRENT_REQUESTS: '100000',
    BACKGROUND_WORKERS: '0',
    MEDIA_PRIORITY: 'normal',
  };
  const config = readConfig({ KEYS_DIR: join(dataDir, 'keys'), ...usual, ...settings, DATA_DIR: dataDir });
  const server = await createServer({
    config,
    databaseUrl: (await through?.(database.url)) ?? database.url,
    clock,
    logger: log
      ? pino({ level: 'info' }, { write: (line) => void log.push(line) })
      : pino({ level: process.env.LOG_LEVEL ?? 'silent' }),
    site,
    outside,
    // Tests wait for mails and push messages, so they are sent sooner than in production.
    pause: 250,
    // The clock of many tests stands still or jumps; they run repeated jobs themselves.
    schedules: false,
    // A connection costs PostgreSQL 30 ms of processor time, and the first statements on it as much again.
    jobConnections: 1,
  });
  return {
    ...server,
    origin: config.origin ?? 'http://localhost',
    dataDir,
    url: database.url,
    inject: (options) =>
      server.app.inject({
        remoteAddress: nextAddress(),
        ...options,
        headers: { 'user-agent': browser, ...options.headers },
      }),
    now: {
      get value() {
        return now.value;
      },
      set value(value) {
        pinned = true;
        now.value = value;
      },
    },
    async close() {
      await server.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export interface Person {
  id: string;
  email: string;
  username: string;
  token: string;
  headers: { authorization: string };
}

let addresses = 0;

function nextAddress(): string {
  addresses += 1;
  return `127.1.${addresses >> 8}.${addresses & 255}`;
}

let people = 0;

/** Creates an account through the API, and logs in as by it, without the check of the password, which has tests of its own. */
export async function signUpSomebody(server: TestServer, name = 'Asha Rao'): Promise<Person> {
  people += 1;
  const username = `somebody${process.pid}x${people}`;
  const email = `${username}@people.example`;
  const password = 'correct horse';
  const { user } = await call(server, {
    method: 'POST',
    url: '/api/signup',
    payload: { name, username, email, password, cpassword: password },
  });
  const places = placesWith(server.keyring.secret('places'));
  const from = { address: nextAddress(), userAgent: browser, places };
  const token = await inTransaction(server.db, (trx) =>
    logIn(trx, server.context, { personId: user._id, from }),
  );
  return { id: user._id, email, username, token, headers: { authorization: `Bearer ${token}` } };
}

/** Calls the API and returns the body of a success; any other response fails the test. */
export async function call(server: TestServer, options: InjectOptions) {
  const response = await server.inject(options);
  if (response.statusCode !== 200)
    throw new Error(`${options.url} answered ${response.statusCode}: ${response.body}`);
  return response.json();
}

/** The user agent of a browser; a call without one counts as a bot's. */
export const browser =
  'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';

/** A multipart body with one file, in the form for `app.inject`. */
export async function multipart(
  bytes: Uint8Array<ArrayBuffer>,
  field = 'file',
  name = 'clip.mp4',
  type = 'video/mp4',
) {
  const form = new FormData();
  form.append(field, new Blob([bytes], { type }), name);
  const body = new Response(form);
  return {
    payload: Buffer.from(await body.arrayBuffer()),
    headers: { 'content-type': body.headers.get('content-type') ?? '' },
  };
}
