import { data, type RouterContextProvider, redirect } from 'react-router';
import { ApiError, isApiError } from '#contract/api-error.ts';
import type { formPages } from '#contract/form-pages.ts';
import { i18nOf, loadMessages } from '#web/messages/catalogues.ts';
import { reasonIn } from '#web/messages/reasons.ts';
import { pageContext } from '#web/server-context.ts';
import type { useText } from '#web/text.tsx';
import type { PostedForm } from './posted.ts';

interface Form {
  endpoint: (typeof formPages)[keyof typeof formPages];
  fields: readonly string[];
  /** Values that are sent in addition to the fields. */
  more?: (lang: string) => object;
  /** Fields that the response never contains. */
  secret?: readonly string[];
  /** The address that shows the success. */
  next: string;
  /** The message above the form if the server names no field. */
  failed: (error: unknown, text: ReturnType<typeof useText>) => string;
}

/**
 * Handles a form that the browser sent itself, without a script: makes the same call, reports all errors at once,
 * keeps the typed values except passwords, and redirects after success, so that a reload does not send it again.
 */
export async function answerPost(
  request: Request,
  context: Readonly<RouterContextProvider>,
  { endpoint, fields, more, secret = [], next, failed }: Form,
) {
  const { call, lang, askedLang } = context.get(pageContext);
  await loadMessages(lang);
  const i18n = i18nOf(lang);
  const text: ReturnType<typeof useText> = (id, values) => i18n._(id, values);
  const sent = new URLSearchParams(await request.text());
  const typed = Object.fromEntries(fields.map((name) => [name, sent.get(name) ?? '']));

  const answer = (status: number, errors: Iterable<readonly [string, string]>) => {
    const listed = [...errors].map(([name, message]) => [name, { type: 'server', message }]);
    const values = Object.entries(typed).filter(([name]) => !secret.includes(name));
    const posted: PostedForm = { values: Object.fromEntries(values), errors: Object.fromEntries(listed) };
    return data(posted, { status });
  };

  try {
    await call(endpoint, { body: { ...typed, ...more?.(lang) } } as never);
  } catch (error) {
    if (!isApiError(error)) return answer(500, [['root', failed(error, text)]]);
    const { status, code, params, sentence } = error;
    const wrong = fields.flatMap((name) => {
      const about = error.fields[name];
      return about === undefined ? [] : [[name, reasonIn(i18n, about)] as const];
    });
    if (wrong.length > 0) return answer(status, wrong);
    const said = reasonIn(i18n, { code, params, error: sentence });
    return answer(status, [['root', failed(new ApiError(status, code, said), text)]]);
  }
  const [path, place] = next.split('#');
  throw redirect(`${path}${askedLang ? `?lang=${askedLang}` : ''}#${place}`, 303);
}
