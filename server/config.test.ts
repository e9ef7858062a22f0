import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig, settings } from './config.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the configuration', () => {
  it('is told in the README row by row as the code has it', () => {
    const rows = Object.entries(settings).map(
      ([name, { default: fallback, about }]) =>
        `| \`${name}\` |${fallback && ` \`${fallback}\``} | ${about} |`,
    );
    const told = /<!-- settings -->\n([\s\S]*?)\n?<!-- \/settings -->/.exec(readme)?.[1];
    expect(told?.split('\n')).toEqual(rows);
  });

  it('has defaults that need nothing', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      demo: true,
      databaseUrl: undefined,
      timeZone: 'Asia/Kolkata',
    });
  });

  it('takes what is set, and an empty variable as unset', () => {
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
      trustProxy: true,
    });
  });
});
