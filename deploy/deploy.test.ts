import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ipaddr from 'ipaddr.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parametersOf } from '#contract/page-query.ts';
import { readConfig, settings } from '#server/config.ts';
import { freePort } from '#server/platform/database/embedded.ts';
import { createMetrics, measureProcess } from '#server/platform/metrics.ts';
import { endpoints } from '#testing/endpoints.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { runStatements } from '#testing/servers/statements.ts';
import { startTestServer } from '#testing/servers/test-server.ts';
import { startNginx, writeNginx } from './loopback/nginx.ts';
import { pooledAt, query, startPgbouncer } from './loopback/pgbouncer.ts';

/*
 * This machine has no container engine: these tests check what is possible without one. The programs behind the same proxy and
 * pooler settings are started, and killed under load, in e2e/topology.test.ts.
 */
const here = fileURLToPath(new URL('.', import.meta.url));
const textOf = (name: string) => readFile(join(here, name), 'utf8');
const yamlOf = async (name: string) => parse(await textOf(name), { merge: true });

type Environment = Record<string, string>;
interface Compose {
  services: Record<
    string,
    {
      image?: string;
      environment?: Environment;
      volumes?: string[];
      networks: { site: { ipv4_address: string } };
    }
  >;
}

/** A filled-in `deploy/.env`. */
const filledIn: Environment = {
  ORIGIN: 'https://jhalak.example',
  POSTGRES_PASSWORD: '5ec2e7',
  S3_ACCESS_KEY: 'key',
  S3_SECRET_KEY: 'secret',
  GRAFANA_PASSWORD: 'secret',
  SMTP_URL: 'smtps://user:secret@mail.example',
  MAIL_FROM: 'no-reply@jhalak.example',
};
const substituted = (value: string) =>
  String(value).replaceAll(
    /\$\{([A-Z0-9_]+)(?::[?-][^}]*)?\}/g,
    (_whole, name: string) => filledIn[name] ?? '',
  );

/** Environments of Jhalak's programs, by service. */
async function environments(): Promise<[where: string, environment: Environment][]> {
  const { services } = (await yamlOf('compose.yaml')) as Compose;
  const ours = Object.entries(services).filter(([, { image }]) => image?.startsWith('jhalak:'));
  const { items } = await yamlOf('kubernetes/jhalak.yaml');
  const named = (kind: string) => items.find((item: { kind: string }) => item.kind === kind);
  const shared = { ...named('ConfigMap').data, ...named('Secret').stringData };
  const pods = items
    .filter(({ kind }: { kind: string }) => kind === 'Deployment' || kind === 'Job')
    .map(
      (item: { metadata: { name: string }; spec: { template: { spec: { containers: [Container] } } } }) => {
        const [container] = item.spec.template.spec.containers;
        const own = Object.fromEntries((container.env ?? []).map(({ name, value }) => [name, value]));
        return [item.metadata.name, { ...shared, ...own }];
      },
    );
  return [
    ...ours.map(([name, { environment }]): [string, Environment] => [name, environment ?? {}]),
    ...pods,
  ];
}
interface Container {
  env?: { name: string; value: string }[];
}

describe('the container', () => {
  it('copies existing files, and sets only existing settings', async () => {
    const text = await textOf('Containerfile');
    const taken = [...text.matchAll(/^COPY --from=built \/jhalak\/(\S+)/gm)].map(([, path = '']) => path);
    expect(taken.length).toBeGreaterThan(5);
    // The build output, and files of a clean clone.
    for (const path of taken.filter((one) => one !== 'build'))
      expect(existsSync(join(here, '..', path)), path).toBe(true);
    const set = [...(/^ENV (.*)$/m.exec(text)?.[1] ?? '').matchAll(/(\w+)=/g)].map(([, name = '']) => name);
    expect(set.filter((name) => name !== 'NODE_ENV' && !(name in settings))).toEqual([]);
    expect(text).toMatch(/^USER node$/m);
  });
});

describe('every program in deploy/', () => {
  it('has only existing settings, with valid values', async () => {
    const all = await environments();
    expect(all.map(([where]) => where)).toEqual([
      'web-1',
      'web-2',
      'worker-1',
      'worker-2',
      'jhalak-migrate',
      'jhalak-web',
      'jhalak-worker',
    ]);
    const keys = new Set<string>();
    for (const [where, environment] of all) {
      expect(
        Object.keys(environment).filter((name) => !(name in settings)),
        where,
      ).toEqual([]);
      const values = Object.fromEntries(
        Object.entries(environment).map(([name, value]) => [name, substituted(value)]),
      );
      const config = readConfig(values);
      expect(config.storage.kind, where).toBe('s3');
      expect(config.databaseUrl, where).toMatch(/^postgres:/);
      expect(config.metricsPort, where).toBe(9100);
      keys.add(config.keysDir.split('/')[1] ?? '');
    }
    // The folder of the keys is one volume, shared by all of them.
    expect([...keys]).toEqual(['keys']);
    const { services } = (await yamlOf('compose.yaml')) as Compose;
    for (const [where] of all.slice(0, 4)) expect(services[where]?.volumes).toContain('keys:/keys');
    const { items } = await yamlOf('kubernetes/jhalak.yaml');
    const claim = items.find(({ kind }: { kind: string }) => kind === 'PersistentVolumeClaim');
    expect(claim.spec.accessModes).toEqual(['ReadWriteMany']);
    for (const { kind, spec } of items.filter((item: { kind: string }) =>
      /^(Deployment|Job)$/.test(item.kind),
    )) {
      const { volumes, containers } = spec.template.spec;
      expect(containers[0].volumeMounts, kind).toContainEqual({ name: 'keys', mountPath: '/keys' });
      expect(volumes, kind).toContainEqual({
        name: 'keys',
        persistentVolumeClaim: { claimName: claim.metadata.name },
      });
    }
  });

  it('trusts the proxy in front of it, and no other address', async () => {
    const { services, networks } = await yamlOf('compose.yaml');
    const nginx: string = services.nginx.networks.site.ipv4_address;
    for (const web of ['web-1', 'web-2']) expect(services[web].environment.TRUST_PROXY).toBe(nginx);
    // Containers without a fixed address never get the proxy's.
    const [{ ip_range: others }] = networks.site.ipam.config;
    expect(ipaddr.parse(nginx).match(ipaddr.parseCIDR(others))).toBe(false);
    const { items } = await yamlOf('kubernetes/jhalak.yaml');
    const policy = items.find(({ kind }: { kind: string }) => kind === 'NetworkPolicy').spec;
    const { ports } = items.find(({ kind }: { kind: string }) => kind === 'Deployment').spec.template.spec
      .containers[0];
    const open = policy.ingress.flatMap((rule: { ports: { port: number }[] }) => rule.ports);
    expect(open.map((one: { port: number }) => one.port)).toEqual(
      ports.map((one: { containerPort: number }) => one.containerPort),
    );
  });

  it('has a longer grace period than its shutdown takes', async () => {
    const { services } = await yamlOf('compose.yaml');
    const { stop_grace_period: grace, environment } = services['web-1'];
    expect(Number.parseInt(grace, 10)).toBeGreaterThan(Number(environment.DRAIN_SECONDS) + 30);
    const { items } = await yamlOf('kubernetes/jhalak.yaml');
    const web = items.find(({ metadata }: { metadata: { name: string } }) => metadata.name === 'jhalak-web');
    const told = Number(items.find(({ kind }: { kind: string }) => kind === 'ConfigMap').data.DRAIN_SECONDS);
    expect(web.spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(told + 30);
  });

  it('deploy/.env has exactly the variables of the Compose file, and the files that it mounts exist', async () => {
    const text = await textOf('compose.yaml');
    const wanted = new Set([...text.matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name));
    wanted.delete('JHALAK_VERSION');
    const offered = [...(await textOf('env.example')).matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect([...wanted].sort()).toEqual(offered.sort());
    expect(Object.keys(filledIn).sort()).toEqual(offered.sort());
    const { services } = (await yamlOf('compose.yaml')) as Compose;
    const mounted = Object.values(services)
      .flatMap(({ volumes = [] }) => volumes)
      .filter((one) => one.startsWith('./'))
      .map((one) => one.split(':')[0] ?? '');
    expect(mounted.length).toBeGreaterThan(3);
    for (const path of mounted.filter((one) => one !== './tls'))
      expect(existsSync(join(here, path)), path).toBe(true);
  });
});

describe('Prometheus and Grafana', () => {
  it('use only metrics that a server exports', async () => {
    const server = await startTestServer();
    const ofProcess = createMetrics();
    measureProcess(ofProcess);
    const told = new Set(['up']);
    for (const { registry } of [server.metrics, ofProcess])
      for (const { name, type } of await registry.getMetricsAsJSON())
        for (const end of String(type) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''])
          told.add(`${name}${end}`);
    await server.close();

    const { groups } = await yamlOf('prometheus/alerts.yaml');
    const alerts: string[] = groups.flatMap(({ rules }: { rules: { expr: string }[] }) =>
      rules.map(({ expr }) => expr),
    );
    const { panels } = JSON.parse(await textOf('grafana/jhalak.json'));
    const shown: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    );
    expect([alerts.length > 5, shown.length > 15]).toEqual([true, true]);
    const named = [...alerts, ...shown].flatMap(
      (expr) => expr.match(/\b(?:up|(?:jhalak|process|nodejs)_\w+)\b/g) ?? [],
    );
    expect([...new Set(named)].filter((name) => !told.has(name))).toEqual([]);
  });

  it('have only valid YAML files', async () => {
    const files = globSync('**/*.yaml', { cwd: here });
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) expect(await yamlOf(file), file).toBeTypeOf('object');
  });
});

describe.runIf(['/usr/sbin/nginx', '/usr/bin/openssl'].every(existsSync))('nginx', () => {
  it('accepts the settings of the Compose file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-nginx-'));
    try {
      const name = (file: string) => join(folder, file);
      const certificate = [
        '-keyout',
        name('privkey.pem'),
        '-out',
        name('fullchain.pem'),
        '-subj',
        '/CN=jhalak.example',
      ];
      execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...certificate], {
        stdio: 'ignore',
      });
      const { services } = (await yamlOf('compose.yaml')) as Compose;
      const given = Object.fromEntries(
        Object.entries(services.nginx?.environment ?? {}).map(([key, value]) => [
          key,
          value.replaceAll('/tls/', `${folder}/`).replace('/var/cache/nginx/jhalak', name('cache')),
        ]),
      );
      const config = await writeNginx(folder, given);
      const test = ['-t', '-e', 'stderr', '-p', folder, '-c', config];
      expect(() => execFileSync('/usr/sbin/nginx', test, { stdio: 'pipe' })).not.toThrow();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  /** Starts a real nginx by the template, in front of one web server with this handler. */
  async function behind(
    answer: RequestListener,
    use: (
      ask: (path: string, headers?: OutgoingHttpHeaders) => Promise<IncomingMessage>,
      web: Server,
    ) => Promise<void>,
  ) {
    const web = createServer(answer).listen(0, '127.0.0.1');
    await once(web, 'listening');
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-nginx-'));
    const port = await freePort();
    const { port: webPort } = web.address() as AddressInfo;
    const nginx = await startNginx('/usr/sbin/nginx', [webPort], port, folder);
    const ask = async (path: string, headers: OutgoingHttpHeaders = {}) => {
      const asking = request({ host: '127.0.0.1', port, path, headers }).end();
      const [response] = (await once(asking, 'response')) as [IncomingMessage];
      return response.resume();
    };
    try {
      await use(ask, web);
    } finally {
      await nginx.stop();
      web.closeAllConnections();
      web.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  it('passes on no host or address that a visitor claims, and caches one response for all Host headers', async () => {
    const seen: IncomingHttpHeaders[] = [];
    const answer: RequestListener = (request, response) => {
      seen.push(request.headers);
      response.writeHead(200, { 'cache-control': 'public, max-age=60' }).end('an answer');
    };
    await behind(answer, async (ask) => {
      for (const path of ['/About', '/media/k/file.mp4'])
        for (const place of [1, 2]) {
          const { statusCode, headers } = await ask(path, {
            host: `evil${place}.example`,
            forwarded: 'for=6.6.6.6;host=evil.example',
            'x-forwarded-for': '6.6.6.6',
            'x-forwarded-host': 'evil.example',
            'x-forwarded-port': '666',
            'x-forwarded-proto': 'gopher',
            'x-real-ip': '6.6.6.6',
          });
          expect([statusCode, headers['x-cache']]).toEqual([200, place === 1 ? 'MISS' : 'HIT']);
        }
    });
    expect(seen.map(({ range, ...headers }) => headers)).toEqual(
      Array(2).fill({
        host: 'webs',
        'x-forwarded-for': '6.6.6.6, 127.0.0.1',
        'x-forwarded-proto': 'http',
      }),
    );
  });

  it('caches by the query parameters that the site reads at a path, and bypasses the cache for any other query', async () => {
    const pages = [
      ...[
        '/',
        '/videoplayer',
        '/ShowPosts',
        '/AllUsers',
        '/search',
        '/tag/diwali',
        '/user/7',
        '/UserProfile',
      ],
      '/About',
    ];
    const lists = endpoints.filter(({ cached }) => cached);
    const read = new Map<string, readonly string[]>([
      ...pages.flatMap((page): [string, readonly string[]][] => [
        [page, parametersOf(page)],
        [page === '/' ? '/_root.data' : `${page}.data`, parametersOf(page)],
      ]),
      ...lists.map(({ path, query }): [string, string[]] => [path, Object.keys(query?.shape ?? {})]),
    ]);
    const names = new Set([...read.values()].flat());
    expect([...names].sort()).toEqual(['cursor', 'kind', 'lang', 'limit', 'q', 'reel', 'tab']);
    const given = (name: string) => `${name}=${name === 'lang' ? 'hi' : 1}`;
    const answer: RequestListener = (_, response) =>
      response.writeHead(200, { 'cache-control': 'public, max-age=60' }).end('an answer');
    await behind(answer, async (ask) => {
      const twice = async (path: string) => {
        await ask(path);
        return (await ask(path)).headers['x-cache'];
      };
      for (const [path, known] of read) {
        expect(await twice(path), path).toBe('HIT');
        for (const name of names)
          expect(await twice(`${path}?${given(name)}`), `${path}?${name}`).toBe(
            known.includes(name) ? 'HIT' : 'BYPASS',
          );
        const all = known.map(given).join('&');
        if (all) expect(await twice(`${path}?${all}`), `${path}?${all}`).toBe('HIT');
        const one = given(known[0] ?? 'lang');
        for (const query of [
          'utm_source=1',
          `${one}&utm_source=1`,
          `utm_source=1&${one}`,
          `x${one}`,
          '%6Cang=hi',
          'lang=xx',
          '',
        ])
          expect(await twice(`${path}?${query}`), `${path}?${query}`).toBe('BYPASS');
      }
      expect(await twice('/media/k/file.mp4?save')).toBe('HIT');
      for (const query of ['save=1', 'save&save', 'v=1', 'lang=hi'])
        expect(await twice(`/media/k/file.mp4?${query}`), query).toBe('BYPASS');
    });
  });

  it('serves no response older than five seconds: neither after its deletion nor while no web server answers [long]', async () => {
    let status = 200;
    const answer: RequestListener = (_, response) => {
      response.writeHead(status, status === 200 ? { 'cache-control': 'public, max-age=0, s-maxage=3' } : {});
      response.end('an answer');
    };
    const paths = ['/user/1', '/media/k/file.mp4'];
    await behind(answer, async (ask, web) => {
      const statuses = async () => await Promise.all(paths.map(async (path) => (await ask(path)).statusCode));
      const within = { timeout: 5000, interval: 100 };
      expect(await statuses()).toEqual([200, 200]);
      status = 404;
      // It is still cached for a moment.
      expect(await statuses()).toEqual([200, 200]);
      await expect.poll(statuses, within).toEqual([404, 404]);
      status = 200;
      await expect.poll(statuses, within).toEqual([200, 200]);
      web.closeAllConnections();
      web.close();
      await expect.poll(statuses, within).toEqual([502, 502]);
    });
  });
});

describe.runIf(existsSync('/usr/sbin/pgbouncer'))('pgbouncer', () => {
  it('connects a role whose password has characters that a URL encodes, to a database of any name', async () => {
    const [database, folder, port] = [
      await freshDatabase(),
      await mkdtemp(join(tmpdir(), 'jhalak-pgbouncer-')),
      await freePort(),
    ];
    const [role, password] = [`role_${database.name}`, 'a "quoted" p%40ss/word'];
    await runStatements(database.url, `create role ${role} login password '${password}'`);
    const address = new URL(database.url);
    address.username = role;
    address.password = encodeURIComponent(password);
    const pgbouncer = await startPgbouncer('/usr/sbin/pgbouncer', address.href, port, folder);
    try {
      const [row] = await query(
        pooledAt(address.href, port),
        'select current_user as role, current_database() as name',
      );
      expect(row).toEqual({ role, name: database.name });
    } finally {
      await pgbouncer.stop();
      await runStatements(database.url, `drop role ${role}`);
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
});
