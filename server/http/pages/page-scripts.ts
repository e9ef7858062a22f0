import { createHash } from 'node:crypto';
import { Parser } from 'htmlparser2';

/**
 * Prepares the scripts of a rendered page. The page's own inline scripts, which carry the nonce, lose it and are hashed
 * instead: a nonce must differ per response, so a cached page cannot have one (decision 0004). Modules and their preloads are
 * requested after the page is painted (decision 0024).
 */
export function prepareScripts(html: string, nonce: string): { html: string; hashes: string[] } {
  const parts: string[] = [];
  const hashes = new Set<string>();
  const modules: string[] = [];
  let copied = 0;
  let script: { codeAt: number; isModule: boolean } | undefined;

  function replace(from: number, to: number, text: string): void {
    parts.push(html.slice(copied, from), text);
    copied = to;
  }
  function allow(code: string): void {
    if (code) hashes.add(`'sha256-${createHash('sha256').update(code).digest('base64')}'`);
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      const [from, to] = [parser.startIndex, parser.endIndex + 1];
      // React puts preloads into the head, so all of them are known before the module script in the body.
      if (name === 'link' && attributes.rel === 'modulepreload') {
        modules.push(attributes.href ?? '');
        replace(from, to, '');
      } else if (attributes.nonce === nonce) {
        replace(from, to, html.slice(from, to).replace(` nonce="${nonce}"`, ''));
        if (name === 'script') script = { codeAt: to, isModule: attributes.type === 'module' };
      }
    },
    onclosetag(name) {
      if (name !== 'script' || !script) return;
      const code = html.slice(script.codeAt, parser.startIndex);
      allow(code);
      if (script.isModule) {
        const delayed = delayedScript(code, modules);
        allow(delayed);
        replace(script.codeAt, parser.startIndex, delayed);
      }
      script = undefined;
    },
  });
  parser.end(html);
  return { html: parts.join('') + html.slice(copied), hashes: [...hashes] };
}

/**
 * A script that waits until the text, styles, fonts and first images of the page have arrived and are painted, and then runs `code`, which
 * imports `modules`. It asks the browser whether anything is painted, since the page may have been hidden in the frames before
 * (web/ui/letters.ts). A slow image or a hidden tab delays it for at most one second. If a module cannot be loaded, a button that was clicked
 * in the meantime (web/ui/pre-hydration-clicks.ts) works as without scripts.
 */
const delayedScript = (code: string, modules: readonly string[]) => `await new Promise((painted) => {
  setTimeout(painted, 1000);
  addEventListener("load", () => new PerformanceObserver((paints) => {
    if (paints.getEntriesByName("first-contentful-paint").length)
      requestAnimationFrame(() => setTimeout(painted));
  }).observe({ type: "paint", buffered: true }));
});
const append = (name, properties) => document.head.append(Object.assign(document.createElement(name), properties));
for (const href of ${literal(modules)}) append("link", { rel: "modulepreload", href });
append("script", {
  type: "module",
  text: ${literal(code)},
  onerror() {
    document.documentElement.classList.add("taken-over");
    window.pressed?.click();
  },
});
`;

/** A literal that cannot end the script in which it is written. */
const literal = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c');
