import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { prepareScripts } from './page-scripts.ts';

const nonce = 'bm9uY2U+/w==';
const hashOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`;
const prepare = (html: string) => prepareScripts(html, nonce);

describe('scripts of a page', () => {
  it('with the nonce lose it and are hashed; others are neither changed nor hashed', () => {
    const theme = 'if (a<b) wear("</div>&amp;")';
    const injected = '<script>steal()</script><script nonce="guessed">steal()</script>';
    const { html, hashes } = prepare(
      `<body><script nonce="${nonce}">${theme}</script><p title="<script>">a &lt; b</p>${injected}</body>`,
    );
    expect(html).toBe(`<body><script>${theme}</script><p title="<script>">a &lt; b</p>${injected}</body>`);
    expect(hashes).toEqual([hashOf(theme)]);
  });

  it('inside a comment, an attribute or another script do not change', () => {
    const page = `<!--<script nonce="${nonce}">a()</script>--><p data-x='<script nonce="${nonce}">'></p><script>"<script nonce='${nonce}'>"</script>`;
    expect(prepare(page)).toEqual({ html: page, hashes: [] });
  });

  it('of type module run later, with their preloads, in the same order', () => {
    const code = 'import * as route0 from "/assets/root.js";\nstart(route0, "<!-- </b>");';
    const { html, hashes } = prepare(
      `<head><link rel="modulepreload" nonce="${nonce}" href="/assets/root.js"/><link rel="icon" href="/icon.svg"/></head><body><script nonce="${nonce}" type="module" async="">${code}</script></body>`,
    );
    const [before, delayed = '', after] = html.split(/<script type="module" async="">|<\/script>/);
    expect(before).toBe('<head><link rel="icon" href="/icon.svg"/></head><body>');
    expect(after).toBe('</body>');
    expect(delayed).toContain('["/assets/root.js"]');
    expect(delayed).not.toContain('<');
    expect(JSON.parse(/^ {2}text: (".*"),$/m.exec(delayed)?.[1] ?? '')).toBe(code);
    expect(hashes).toEqual([hashOf(code), hashOf(delayed)]);
  });
});
