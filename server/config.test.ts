import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { standInSettings } from '#testing/servers/razorpayx.ts';
import { readConfig, settings } from './config.ts';
import { StartupError } from './platform/startup-error.ts';

describe('the configuration', () => {
  it('is documented in docs/configuration.md; `npx vitest -u` writes it anew', async () => {
    const rows = Object.entries(settings).map(
      ([name, { default: fallback, about }]) =>
        `| \`${name}\` |${fallback && ` \`${fallback}\``} | ${about} |`,
    );
    const page = [
      '# Configuration',
      '',
      'Environment variables, generated from `server/config.ts`. Each is read and checked once, at start.',
      '',
      '| variable | default | what it does |',
      '| -------- | ------- | ------------ |',
      ...rows,
      '',
    ];
    await expect(page.join('\n')).toMatchFileSnapshot('../docs/configuration.md');
  });

  it('has every setting that docs/operating.md names', () => {
    const page = readFileSync(new URL('../docs/operating.md', import.meta.url), 'utf8');
    const named = page.match(/\b[A-Z]+(?:_[A-Z\d]+)+\b|\b[A-Z]{4,}(?==)/g) ?? [];
    expect(named).toEqual(expect.arrayContaining(['DATA_DIR', 'TRUST_PROXY', 'PAYER']));
    expect(named.filter((name) => !(name in settings))).toEqual([]);
  });

  it('has defaults for everything', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      demo: true,
      databaseUrl: undefined,
      timeZone: 'Asia/Kolkata',
    });
  });

  it('stores keys in the data folder, but requires a folder with an external database', () => {
    expect(readConfig({ DATA_DIR: '/site' }).keysDir).toBe('/site/keys');
    const DATABASE_URL = 'postgres://jhalak@127.0.0.1/jhalak';
    expect(readConfig({ DATABASE_URL, KEYS_DIR: '/keys' }).keysDir).toBe('/keys');
    expect(() => readConfig({ DATABASE_URL })).toThrow(
      'DATABASE_URL is set, but KEYS_DIR is not: set KEYS_DIR to a folder that all processes of the site share, and that is not in the backups of the database.',
    );
  });

  it('reads the team for the About page, each link by its network', () => {
    expect(
      readConfig({ TEAM: 'Asha Rao, https://www.linkedin.com/in/asha, https://x.com/asha; Binod' }).team,
    ).toEqual([
      {
        name: 'Asha Rao',
        links: [
          { network: 'professional', url: 'https://www.linkedin.com/in/asha' },
          { network: 'posts', url: 'https://x.com/asha' },
        ],
      },
      { name: 'Binod', links: [] },
    ]);
    expect(() => readConfig({ TEAM: 'Asha, javascript:alert(1)' })).toThrow(/TEAM.*https/);
    expect(() => readConfig({ TEAM: '; Binod' })).toThrow(/TEAM.*name/);
    expect(() => readConfig({ ANALYTICS_ID: '"><script>' })).toThrow(/ANALYTICS_ID/);
  });

  it('uses what is set, and treats an empty variable as unset', () => {
    const config = readConfig({
      PORT: '8080',
      JHALAK_DEMO: 'off',
      ORIGIN: 'https://jhalak.example/',
      MEDIA_ORIGIN: '',
      TRUST_PROXY: 'on',
    });
    expect(config).toMatchObject({
      port: 8080,
      demo: false,
      origin: 'https://jhalak.example',
      mediaOrigin: '',
      trustProxy: ['127.0.0.0/8', '::1/128'],
    });
  });

  const origin = { ORIGIN: 'https://jhalak.example' };

  it('accepts addresses and networks of proxies, by default none', () => {
    const proxies = (TRUST_PROXY: string) => readConfig({ ...origin, TRUST_PROXY }).trustProxy;
    expect(proxies('')).toEqual([]);
    expect(proxies('off')).toEqual([]);
    expect(proxies('10.0.0.5')).toEqual(['10.0.0.5']);
    expect(proxies('10.1.0.0/16, fd00::/64,::1')).toEqual(['10.1.0.0/16', 'fd00::/64', '::1']);
  });

  it.each(['1', '2', '10.0.0.1,2'])('refuses %s as TRUST_PROXY, and shows the new form', (TRUST_PROXY) => {
    expect(() => readConfig({ ...origin, TRUST_PROXY })).toThrow(
      "The setting TRUST_PROXY cannot be used: a number of proxies is no longer taken; name their addresses or networks, such as 10.0.0.5 or 10.1.0.0/16,fd00::/64, or say on for this machine's own.",
    );
  });

  it.each([
    'yes',
    'on,off',
    '10.0.0',
    '0x7f.1',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    'fd00::/129',
    ',',
    'proxy.example',
  ])('refuses %s as TRUST_PROXY', (TRUST_PROXY) => {
    expect(() => readConfig({ ...origin, TRUST_PROXY })).toThrow(/TRUST_PROXY .* no address and no network/);
  });

  it('requires ORIGIN if a proxy is trusted', () => {
    expect(() => readConfig({ TRUST_PROXY: 'on' })).toThrow(
      'TRUST_PROXY is set, but ORIGIN is not: set ORIGIN to the public address of the site, such as https://jhalak.example.',
    );
  });

  it('requires ORIGIN if apps use passkeys', () => {
    const APP_ORIGINS = 'ios:ABCDE12345.example.jhalak';
    expect(() => readConfig({ APP_ORIGINS })).toThrow(
      'APP_ORIGINS is set, but ORIGIN is not: set ORIGIN to the public address of the site, to which passkeys of the apps belong.',
    );
    expect(readConfig({ ...origin, APP_ORIGINS }).appOrigins).toHaveLength(1);
  });

  it('requires ORIGIN if mail is sent', () => {
    expect(() => readConfig({ SMTP_URL: 'smtps://mail.example' })).toThrow(
      'SMTP_URL is set, but ORIGIN is not: set ORIGIN to the public address of the site, which links in mails begin with.',
    );
    expect(readConfig({ ...origin, SMTP_URL: 'smtps://mail.example' }).mail?.url).toBe(
      'smtps://mail.example',
    );
  });

  it('requires all settings of RazorpayX if it pays, and all or none if not', () => {
    const all = standInSettings('https://api.razorpay.com');
    expect(readConfig(all).payouts).toMatchObject({
      payer: 'razorpayx',
      razorpayx: { url: 'https://api.razorpay.com', account: all.RAZORPAYX_ACCOUNT },
    });
    expect(readConfig({ ...all, PAYER: '' }).payouts).toMatchObject({ payer: 'file', razorpayx: {} });
    expect(readConfig({}).payouts).toMatchObject({ payer: 'file', razorpayx: undefined });
    expect(() => readConfig({ PAYER: 'razorpayx', RAZORPAYX_KEY_ID: all.RAZORPAYX_KEY_ID })).toThrow(
      'PAYER is razorpayx, but RAZORPAYX_KEY_SECRET, RAZORPAYX_ACCOUNT, RAZORPAYX_WEBHOOK_SECRET are not set: RazorpayX pays only with all of them.',
    );
    expect(() => readConfig({ ...all, PAYER: 'file', RAZORPAYX_ACCOUNT: '' })).toThrow(
      'Some settings of RazorpayX are set, but RAZORPAYX_ACCOUNT is not: set all of them, or none.',
    );
    expect(() => readConfig({ ...all, RAZORPAYX_URL: 'http://api.razorpay.com' })).toThrow(
      'The setting RAZORPAYX_URL cannot be used: it must be an https address (http only on a loopback host).',
    );
    expect(() => readConfig({ ...all, RAZORPAYX_KEY_SECRET: 'short' })).toThrow(
      'The setting RAZORPAYX_KEY_SECRET cannot be used: it is too short.',
    );
    const clock = { TEST_CLOCK: '/tmp/clock' };
    expect(() => readConfig({ ...all, ...clock })).toThrow(
      'TEST_CLOCK is set, but RAZORPAYX_URL is the payer of real money: unset one of them, or use a payer on this machine.',
    );
    expect(readConfig({ ...standInSettings('http://127.0.0.1:9'), ...clock }).testClock).toBe('/tmp/clock');
  });

  it('refuses TEST_CLOCK with a mail server that reaches people', () => {
    const settings = { ...origin, TEST_CLOCK: '/tmp/clock' };
    expect(() => readConfig({ ...settings, SMTP_URL: 'smtps://mail.example' })).toThrow(
      'TEST_CLOCK is set, but SMTP_URL is the mail server of real people: unset one of them, or use a mail server on this machine.',
    );
    for (const SMTP_URL of ['', 'smtp://127.0.0.1:2525', 'smtp://[::1]:2525', 'smtp://localhost'])
      expect(readConfig({ ...settings, SMTP_URL }).testClock).toBe('/tmp/clock');
    expect(readConfig({}).testClock).toBeUndefined();
  });

  /** For each setting values that cannot work, and sometimes one that does. All others take any text. */
  const unusable: Partial<Record<keyof typeof settings, { refused: string[]; taken?: string[] }>> = {
    PORT: { refused: ['eighty', '-1', '65536', '80.5'] },
    HOST: {
      refused: ['http://127.0.0.1', 'a b', 'localhost/'],
      taken: ['::', 'fe80::1%eth0', 'my-host.lan'],
    },
    ROLE: { refused: ['both'] },
    DRAIN_SECONDS: { refused: ['-1', '301', 'long'] },
    METRICS_PORT: { refused: ['metrics', '65536'] },
    METRICS_HOST: { refused: ['http://127.0.0.1'] },
    ORIGIN: {
      refused: [
        'https://jhalak.example/app',
        'https://jhalak.example/?a',
        'https://jhalak.example?',
        'https://jhalak.example/#a',
        'https://me:secret@jhalak.example',
        'https://me@jhalak.example',
        'ftp://jhalak.example',
        'jhalak.example',
        'https://',
      ],
      taken: ['https://jhalak.example', 'https://jhalak.example/', 'http://[::1]:3000'],
    },
    DATABASE_URL: { refused: ['mysql://x', 'jhalak'] },
    SMTP_URL: { refused: ['mail.example', 'smtp://', 'smtp:mail', 'https://mail.example'] },
    MAIL_FROM: { refused: ['Jhalak', 'a@b@c'] },
    GRIEVANCE_EMAIL: { refused: ['nobody', 'a@b@c'] },
    FCM_KEY_FILE: { refused: ['/nowhere/key.json', '/', '/dev/zero', '/etc/hostname'] },
    MEDIA_ORIGIN: {
      refused: [
        'media',
        'https://cdn.example/?a=b',
        'https://cdn.example#a',
        'https://me:secret@cdn.example',
      ],
      taken: ['https://cdn.example/jhalak/'],
    },
    PURGE_URL: {
      refused: ['purge', 'https://me:secret@cdn.example'],
      taken: ['https://cdn.example/purge?token=a'],
    },
    STORAGE: { refused: ['tape'] },
    S3_ENDPOINT: { refused: ['s3', 'https://key:secret@s3.example', 'https://s3.example?a'] },
    S3_PUBLIC_ENDPOINT: { refused: ['s3', 'https://key:secret@s3.example', 'https://s3.example?a'] },
    S3_BUCKET: { refused: ['no/bucket', 'A'] },
    S3_PATH_STYLE: { refused: ['yes'] },
    S3_TIMEOUT_SECONDS: { refused: ['0', '301', 'Infinity'] },
    MEDIA_DELIVERY: { refused: ['mail'] },
    JHALAK_DEMO: { refused: ['maybe'] },
    TIME_ZONE: {
      refused: ['Mars/Olympus', 'IST', 'BST', 'EST5EDT', '+05:30', '-08'],
      taken: ['Asia/Kolkata', 'UTC', 'Etc/GMT-5', 'America/Argentina/Buenos_Aires'],
    },
    TRUST_PROXY: { refused: ['2', '0.0.0.0/0', 'proxy.example'] },
    MEDIA_WORKERS: { refused: ['0', '65'] },
    MEDIA_PRIORITY: { refused: ['high'] },
    BACKGROUND_WORKERS: { refused: ['-1', '65'] },
    FAIR_SHARE: { refused: ['-1', '51', '1.5', 'much'] },
    MAX_CONCURRENT_REQUESTS: { refused: ['0', '1000001'] },
    MAX_CONNECTIONS: { refused: ['9', '1000001'] },
    DISK_RESERVE_MB: { refused: ['-1', '9007199254740991'] },
    MAX_CONCURRENT_PROBES: { refused: ['0', '65'] },
    UPLOAD_CHUNK_MB: { refused: ['0', '501'] },
    UNPUBLISHED_MB: { refused: ['0', '9007199254740991'] },
    UNPUBLISHED_FILES: { refused: ['0', '9007199254740991'] },
    INTERACTIONS: { refused: ['site', 'APP'], taken: ['app', 'web'] },
    LINK_IMPORT: { refused: ['yes'] },
    ANONYMOUS_LINKS_PER_DAY: { refused: ['-1', '1001'] },
    REPORT_HOURS: { refused: ['order=3', 'dull=3, others=5', 'others=0'], taken: ['order=1, others=24'] },
    PAYOUT_APPROVAL_ABOVE: { refused: ['-1', '1000000001'] },
    PAYOUT_FILE_TEMPLATE: { refused: ['/nowhere/template.csv', '/', '/dev/zero'] },
    PAYER: { refused: ['me'] },
    RAZORPAYX_URL: {
      refused: ['http://api.razorpay.com', 'https://key:secret@api.razorpay.com', 'https://a.example?b'],
    },
    RAZORPAYX_KEY_ID: { refused: ['live_1'] },
    RAZORPAYX_KEY_SECRET: { refused: ['short'] },
    RAZORPAYX_ACCOUNT: { refused: ['1 2'] },
    RAZORPAYX_WEBHOOK_SECRET: { refused: ['short'] },
    STORE_ANDROID: {
      refused: ['javascript:alert(1)'],
      taken: ['https://play.google.com/store/apps/details?id=a'],
    },
    STORE_IOS: { refused: ['itms://a'] },
    FOLLOW_INSTAGRAM: { refused: ['instagram'] },
    FOLLOW_YOUTUBE: { refused: ['youtube'] },
    FOLLOW_X: { refused: ['x'] },
    ANALYTICS_ID: { refused: ['UA-1'] },
    TEAM: { refused: ['; Binod', 'Asha, javascript:alert(1)'] },
    OIDC_ISSUER: { refused: ['http://login.example', 'https://me@login.example', 'https://login.example?a'] },
    OIDC_CLIENT_ID: { refused: ['a'.repeat(301)] },
    APP_ORIGINS: { refused: ['windows:app', 'android:app:12'] },
    LOG_LEVEL: { refused: ['loud'] },
  };
  /** Folders and files are tried when they are opened (`boot/start.test.ts`). */
  const anyText = ['DATA_DIR', 'KEYS_DIR', 'TEST_CLOCK', 'S3_REGION', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];

  it('has values that cannot work listed here for every setting', () => {
    expect([...Object.keys(unusable), ...anyText].sort()).toEqual(Object.keys(settings).sort());
  });

  it.each(Object.entries(unusable))(
    'refuses %s with one sentence if it cannot work',
    (name, { refused, taken = [] }) => {
      const given = (value: string) => ({
        ...s3,
        ...origin,
        ...standInSettings('http://127.0.0.1:9'),
        [name]: value,
      });
      for (const value of refused) {
        let said = '';
        try {
          readConfig(given(value));
        } catch (error) {
          expect(error).toBeInstanceOf(StartupError);
          said = (error as Error).message;
        }
        expect(said, value).toMatch(new RegExp(`^The setting ${name} cannot be used: [^\n]+\\.$`));
      }
      for (const value of taken) readConfig(given(value));
    },
  );

  it('refuses a bucket in the host name of an IP address', () => {
    for (const S3_ENDPOINT of ['http://127.0.0.1:9000', 'http://[::1]:9000'])
      expect(() => readConfig({ ...s3, S3_ENDPOINT, S3_PATH_STYLE: 'off' })).toThrow(
        /^S3_PATH_STYLE is off, but/,
      );
  });

  it('reads ORIGIN as browsers write an origin', () => {
    expect(readConfig({ ORIGIN: 'HTTPS://Jhalak.Example:443/' }).origin).toBe('https://jhalak.example');
    expect(readConfig({ ORIGIN: 'https://झलक.example' }).origin).toBe('https://xn--11bp7d.example');
  });

  const s3 = {
    STORAGE: 's3',
    S3_ENDPOINT: 'https://s3.example/',
    S3_BUCKET: 'jhalak',
    S3_ACCESS_KEY: 'key',
    S3_SECRET_KEY: 'secret',
  };

  it('stores files on the disk, or in a completely configured bucket', () => {
    expect(readConfig({})).toMatchObject({ storage: { kind: 'disk' }, mediaDelivery: 'proxy' });
    expect(readConfig({ ...s3, MEDIA_DELIVERY: 'redirect' })).toMatchObject({
      storage: {
        kind: 's3',
        endpoint: 'https://s3.example',
        publicEndpoint: 'https://s3.example',
        bucket: 'jhalak',
        region: 'us-east-1',
        accessKey: 'key',
        secretKey: 'secret',
        pathStyle: true,
        timeoutSeconds: 10,
      },
      mediaDelivery: 'redirect',
    });
  });

  it.each<[Record<string, string>, string]>([
    [
      { STORAGE: 's3' },
      'STORAGE is s3, but S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY are not set.',
    ],
    [{ ...s3, S3_BUCKET: '' }, 'STORAGE is s3, but S3_BUCKET is not set.'],
    [
      { ...s3, S3_BUCKET: '', S3_SECRET_KEY: '' },
      'STORAGE is s3, but S3_BUCKET and S3_SECRET_KEY are not set.',
    ],
    [
      { ...s3, STORAGE: '' },
      'S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY and S3_SECRET_KEY are set, but STORAGE is not s3: set STORAGE=s3, or leave them out.',
    ],
    [{ S3_BUCKET: 'jhalak' }, 'S3_BUCKET is set, but STORAGE is not s3: set STORAGE=s3, or leave it out.'],
    [
      { MEDIA_DELIVERY: 'redirect' },
      'MEDIA_DELIVERY=redirect needs STORAGE=s3: files on a disk are handed out by us.',
    ],
    [{ ...s3, S3_BUCKET: 'no/bucket' }, 'The setting S3_BUCKET cannot be used: it is no name of a bucket.'],
    [{ STORAGE: 'tape' }, 'The setting STORAGE cannot be used: Invalid option: expected one of "disk"|"s3".'],
  ])('refuses incomplete settings of storage, with one sentence: %o', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
  });

  it.each(['https://login.example/', 'http://127.0.0.1:4000', 'http://localhost:4000', 'http://[::1]:4000'])(
    'takes %s as the issuer, to the letter',
    (OIDC_ISSUER) => {
      expect(readConfig({ OIDC_ISSUER }).oidc.issuer).toBe(OIDC_ISSUER);
    },
  );

  it.each([
    'http://login.example',
    'http://localhost.login.example',
    'http://127.0.0.1.login.example',
    'ftp://127.0.0.1',
    'accounts.google.com',
  ])('refuses %s as the issuer, with a sentence that names the variable', (OIDC_ISSUER) => {
    expect(() => readConfig({ OIDC_ISSUER })).toThrow(/OIDC_ISSUER/);
  });
});
