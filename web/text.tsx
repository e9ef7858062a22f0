import type { I18n } from '@lingui/core';
import { LinguiContext, Trans, useLingui } from '@lingui/react';
import { type ReactElement, type ReactNode, useMemo } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { formats } from './message-formats.ts';
import type { MessageId } from './messages/catalogues.ts';

type Values = Record<string, unknown>;

/**
 * Gives a page its language. Lingui's own provider renders the whole page once more for each part of the messages that arrives, although
 * what shows a part waits for it (`loadPart`).
 */
export function TextProvider({ i18n, children }: { i18n: I18n; children: ReactNode }) {
  const texts = useMemo(() => ({ i18n, _: i18n.t.bind(i18n) }), [i18n]);
  return <LinguiContext value={texts}>{children}</LinguiContext>;
}

/** Returns a function that gives a message in the page's language: `const text = useText(); text('home.end')`. */
export function useText(): (id: MessageId, values?: Values) => string {
  const { i18n } = useLingui();
  return (id, values) => i18n._(id, values, { formats });
}

/** A message with elements in it: `<T id="login.noAccount" parts={{ a: <Link to="/SignupForm" /> }} />` for "No account? <a>Sign up</a>". */
export function T({
  id,
  values,
  parts,
}: {
  id: MessageId;
  values?: Values;
  parts?: Record<string, ReactElement>;
}) {
  return <Trans id={id} values={values ?? {}} components={parts ?? {}} formats={formats} />;
}

/** The message about a failed call: the server's sentence, or that something went wrong. */
export function failureText(error: unknown, text: ReturnType<typeof useText>): string {
  return isApiError(error) ? error.sentence : text('wrong.text');
}
