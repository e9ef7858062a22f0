import { Link } from 'react-router';
import { signUp } from '#contract/accounts.ts';
import { isApiError } from '#contract/api-error.ts';
import { headOf } from '../features/chrome/head.ts';
import { answerPost } from '../features/form-posts/answer-post.ts';
import { AccountPanel } from '../features/session/account-panel.tsx';
import { languageOf } from '../features/session/language.ts';
import { SignUpForm, signUpFields } from '../features/session/sign-up-form.tsx';
import { useWayBack } from '../features/session/way-back.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import type { Route } from './+types/signup-form';

await loadPart('account');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  const description = i18n._('account.signUp.lead');
  return headOf({
    title: i18n._('account.signUp.pageTitle'),
    description,
    site,
    path: '/SignupForm',
    personal: true,
  });
}

/** Handles the form sent without a script. */
export const action = ({ request, context }: Route.ActionArgs) =>
  answerPost(request, context, {
    endpoint: signUp,
    fields: signUpFields,
    more: (lang) => ({ language: languageOf(lang) }),
    secret: ['password', 'cpassword'],
    next: '/LoginEmail#created',
    failed: (error, text) => (isApiError(error) && error.sentence) || text('account.failed'),
  });

export default function SignupForm() {
  const text = useText();
  const wayBack = useWayBack();
  return (
    <AccountPanel wide title={text('account.signUp')} lead={text('account.signUp.lead')}>
      <SignUpForm />
      <p className="text-soft">
        <T
          id="account.haveAccount"
          parts={{ a: <Link to="/LoginEmail" state={wayBack} className="text-link" /> }}
        />
      </p>
    </AccountPanel>
  );
}
