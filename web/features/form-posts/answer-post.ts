import { data, type RouterContextProvider, redirect } from 'react-router';
import { ApiError, isApiError } from '#contract/api-error.ts';
import type { formPages } from '#contract/form-pages.ts';
import { reasonOf } from '#contract/sentences.ts';
import { i18nOf, loadMessages } from '#web/messages/catalogues.ts';
import { reasonIn } from '#web/messages/reasons.ts';
import { pageContext } from '#web/server-context.ts';
import type { useText } from '#web/text.tsx';
import type { PostedForm } from './posted.ts';

interface Form {
  endpoint: (typeof formPages)[keyof typeof formPages];
  fields: readonly string[];
  /** What is sent besides what was typed. */
  more?: (lang: string) => object;
  /** What its answer never holds. */
  secret?: readonly string[];
  /** The page, and the place on it, that says that all went well. */
  next: string;
  /** What is said above the form where the server names no field. */
  failed: (error: unknown, text: ReturnType<typeof useText>) => string;
}

/**
 * Answers a form that the browser sent by itself, because no script was there: sends it through the same call, names all
 * errors at once, keeps what was typed except passwords, and leads on after success, so that a reload sends nothing twice.
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

  /** A sentence of the server in the page's language. */
  const sayIn = (sentence: string) => {
    const reason = reasonOf(sentence);
    return reason ? reasonIn(i18n, { ...reason, error: sentence }) : sentence;
  };
  const answer = (status: number, errors: Iterable<readonly [string, string]>) => {
    const said = [...errors].map(([name, message]) => [name, { type: 'server', message }]);
    const values = Object.entries(typed).filter(([name]) => !secret.includes(name));
    const posted: PostedForm = { values: Object.fromEntries(values), errors: Object.fromEntries(said) };
    return data(posted, { status });
  };

  try {
    await call(endpoint, { body: { ...typed, ...more?.(lang) } } as never);
  } catch (error) {
    if (!isApiError(error)) return answer(500, [['root', failed(error, text)]]);
    const { status, code, sentence } = error;
    const wrong = fields.flatMap((name) => {
      const about = error.fields[name];
      return about === undefined ? [] : [[name, sayIn(about)] as const];
    });
    if (wrong.length > 0) return answer(status, wrong);
    return answer(status, [['root', failed(new ApiError(status, code, sayIn(sentence)), text)]]);
  }
  const [path, place] = next.split('#');
  throw redirect(`${path}${askedLang ? `?lang=${askedLang}` : ''}#${place}`, 303);
}
