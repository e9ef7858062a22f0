import { data, type RouterContextProvider, redirect } from 'react-router';
import { allFieldsRequired, passwordsMustMatch } from '../../../contract/accounts.ts';
import { isApiError } from '../../../contract/api-error.ts';
import type { formPages } from '../../../contract/form-pages.ts';
import { contactRequired, feedbackRequired } from '../../../contract/messages.ts';
import { i18nOf, loadMessages, type MessageId } from '../../messages/catalogues.ts';
import { pageContext } from '../../server-context.ts';
import type { useText } from '../../text.tsx';
import type { PostedForm } from './posted.ts';

interface Form {
  endpoint: (typeof formPages)[keyof typeof formPages];
  fields: readonly string[];
  /** What its answer never holds. */
  secret?: readonly string[];
  /** The page, and the place on it, that says that all went well. */
  next: string;
  /** What is said above the form where the server names no field. */
  failed: (error: unknown, text: ReturnType<typeof useText>) => string;
}

/** Sentences of the contract that the catalogue holds in every language. */
const translated: Record<string, MessageId> = {
  [allFieldsRequired]: 'account.allRequired',
  [passwordsMustMatch]: 'account.mismatch',
  [contactRequired]: 'contact.required',
  [feedbackRequired]: 'feedback.required',
};

/**
 * Answers a form that the browser sent by itself, because no script was there: sends it through the same call, names all
 * errors at once, keeps what was typed except passwords, and leads on after success, so that a reload sends nothing twice.
 */
export async function answerPost(
  request: Request,
  context: Readonly<RouterContextProvider>,
  { endpoint, fields, secret = [], next, failed }: Form,
) {
  const { call, lang, askedLang } = context.get(pageContext);
  await loadMessages(lang);
  const i18n = i18nOf(lang);
  const text: ReturnType<typeof useText> = (id, values) => i18n._(id, values);
  const sent = new URLSearchParams(await request.text());
  const typed = Object.fromEntries(fields.map((name) => [name, sent.get(name) ?? '']));

  const answer = (status: number, errors: Iterable<readonly [string, string]>) => {
    const said = [...errors].map(([name, message]) => {
      const known = translated[message];
      return [name, { type: 'server', message: known ? text(known) : message }];
    });
    const values = Object.entries(typed).filter(([name]) => !secret.includes(name));
    const posted: PostedForm = { values: Object.fromEntries(values), errors: Object.fromEntries(said) };
    return data(posted, { status });
  };

  const wrong = wrongFields(endpoint, typed);
  if (wrong.size > 0) return answer(400, wrong);
  try {
    await call(endpoint, { body: typed } as never);
  } catch (error) {
    const field = isApiError(error) && fields.find((name) => name === error.field);
    const words = field ? error.sentence : failed(error, text);
    return answer(isApiError(error) ? error.status : 500, [[field || 'root', words]]);
  }
  const [path, place] = next.split('#');
  throw redirect(`${path}${askedLang ? `?lang=${askedLang}` : ''}#${place}`, 303);
}

/** The first thing wrong with each field. */
function wrongFields({ body }: Form['endpoint'], typed: Record<string, string>): Map<string, string> {
  const wrong = new Map<string, string>();
  for (const { path, message } of body.safeParse(typed).error?.issues ?? []) {
    const field = String(path[0]);
    if (!wrong.has(field)) wrong.set(field, message);
  }
  const { password, cpassword } = typed;
  if (password && cpassword && password !== cpassword) wrong.set('cpassword', passwordsMustMatch);
  return wrong;
}
