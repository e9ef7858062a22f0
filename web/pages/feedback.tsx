import { Link } from 'react-router';
import { sendFeedback } from '#contract/contact.ts';
import { headOf } from '../features/chrome/head.ts';
import { ContactPage } from '../features/contact/contact-page.tsx';
import { failureWords } from '../features/contact/failure.ts';
import { FeedbackForm, feedbackFields } from '../features/contact/feedback-form.tsx';
import { answerPost } from '../features/form-posts/answer-post.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { T, useText } from '../text.tsx';
import type { Route } from './+types/feedback';

await loadPart('contact');

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('feedback.pageTitle'),
    description: i18n._('feedback.lead'),
    site,
    path: '/Feedback',
  });
}

/** Handles the form sent without a script. */
export const action = ({ request, context }: Route.ActionArgs) =>
  answerPost(request, context, {
    endpoint: sendFeedback,
    fields: feedbackFields,
    next: '/Feedback#sent',
    failed: (error, text) => failureWords(error, 'feedback.failed', text),
  });

export default function Feedback() {
  const text = useText();
  const look = 'font-semibold underline decoration-marigold decoration-2 underline-offset-4';
  return (
    <ContactPage
      title={text('feedback.title')}
      lead={text('feedback.lead')}
      beside={
        <p>
          <T id="feedback.beside1" parts={{ a: <Link to="/Contact" className={look} /> }} />
        </p>
      }
    >
      <FeedbackForm />
    </ContactPage>
  );
}
