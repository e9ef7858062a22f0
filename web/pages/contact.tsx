import { Link } from 'react-router';
import { sendContact } from '#contract/contact.ts';
import { headOf } from '../features/chrome/head.ts';
import { ContactForm, contactFields } from '../features/contact/contact-form.tsx';
import { ContactPage } from '../features/contact/contact-page.tsx';
import { failureWords } from '../features/contact/failure.ts';
import { answerPost } from '../features/form-posts/answer-post.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import type { Route } from './+types/contact';

await loadPart('contact');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('contact.pageTitle'),
    description: i18n._('contact.lead'),
    site,
    path: '/Contact',
  });
}

/** Handles the form sent without a script. */
export const action = ({ request, context }: Route.ActionArgs) =>
  answerPost(request, context, {
    endpoint: sendContact,
    fields: contactFields,
    next: '/Contact#sent',
    failed: (error, text) => failureWords(error, 'contact.failed', text),
  });

export default function Contact() {
  const text = useText();
  const look = 'font-semibold underline decoration-marigold decoration-2 underline-offset-4';
  return (
    <ContactPage
      title={text('contact.title')}
      lead={text('contact.lead')}
      beside={
        <>
          <p>
            <T id="contact.beside1" parts={{ a: <Link to="/Feedback" className={look} /> }} />
          </p>
          <p>
            <T id="contact.beside2" parts={{ a: <Link to="/PrivacyPolicy" className={look} /> }} />
          </p>
          <noscript>
            <p>{text('contact.report')}</p>
          </noscript>
        </>
      }
    >
      <ContactForm />
    </ContactPage>
  );
}
