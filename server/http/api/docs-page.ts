import { escapeHtml } from '#contract/escape-html.ts';

interface Operation {
  summary?: string;
  tags?: string[];
  security?: object[];
  parameters?: { name: string; in: string; required?: boolean; schema?: unknown }[];
  requestBody?: { content?: Record<string, { schema?: unknown }> };
  responses?: Record<string, { content?: Record<string, { schema?: unknown }> }>;
}

/** Renders the OpenAPI document as one page without scripts, with endpoints grouped by tag. */
export function renderDocs(document: object): string {
  const { paths = {}, info } = document as {
    paths?: Record<string, Record<string, Operation>>;
    info: { title: string; description?: string };
  };
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const tags = [...new Set(calls.map((call) => call.operation.tags?.[0] ?? 'Other'))];
  const sections = tags.map((tag) => {
    const own = calls.filter((call) => (call.operation.tags?.[0] ?? 'Other') === tag);
    return `<section><h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${own.map(renderCall).join('')}</section>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(info.title)} API</title><style>${style}</style></head><body><main>
<h1>${escapeHtml(info.title)} API</h1><p>${escapeHtml(info.description ?? '')}</p>
<p><a href="/api/openapi.json">OpenAPI 3.1 document</a></p>
<nav>${tags.map((tag) => `<a href="#${escapeHtml(tag)}">${escapeHtml(tag)}</a>`).join(' ')}</nav>
${sections.join('')}</main></body></html>`;
}

function renderCall({
  path,
  method,
  operation,
}: {
  path: string;
  method: string;
  operation: Operation;
}): string {
  const parameters = operation.parameters ?? [];
  const bodies = Object.entries(operation.requestBody?.content ?? {});
  const [answer] = Object.entries(operation.responses?.['200']?.content ?? {});
  return `<details><summary><b>${method.toUpperCase()}</b> <code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary ?? '')}</summary>
<p>${whoMayCall(operation)}</p>
${parameters.length > 0 ? `<h3>Parameters</h3>${block(Object.fromEntries(parameters.map((parameter) => [`${parameter.in} ${parameter.name}${parameter.required ? '' : ' (optional)'}`, parameter.schema])))}` : ''}
${bodies.map(([type, body]) => `<h3>Body, ${escapeHtml(type)}</h3>${block(body.schema)}`).join('')}
${answer ? `<h3>Answer${answer[0] === 'application/json' ? '' : `, ${escapeHtml(answer[0])}`}</h3>${block(answer[1].schema)}` : ''}</details>`;
}

function whoMayCall(operation: Operation): string {
  if (!operation.security) return 'Anyone may call this.';
  const optional = operation.security.some((scheme) => Object.keys(scheme).length === 0);
  return optional ? 'Anyone may call this; a token is looked at when there is one.' : 'Needs a token.';
}

function block(value: unknown): string {
  return `<pre>${escapeHtml(JSON.stringify(value, null, 2) ?? '')}</pre>`;
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:2rem 1rem}
main{max-width:60rem;margin:auto}nav a{margin-right:1rem}summary{cursor:pointer;padding:.6rem 0}
details{border-top:1px solid #8884}pre{overflow:auto;background:#8881;padding:1rem;border-radius:.5rem;font-size:13px}`;
