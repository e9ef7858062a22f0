import { retention } from '#contract/retention.ts';
import type { MessageId } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';

const kept: MessageId[] = [
  'privacy.stored.sessions',
  'privacy.stored.uploads',
  'privacy.stored.stories',
  'privacy.stored.seenStories',
  'privacy.stored.fetched',
  'privacy.stored.failed',
  'privacy.stored.orphans',
  'privacy.stored.viewMarks',
  'privacy.stored.ownViews',
  'privacy.stored.guesses',
  'privacy.stored.loginNetworks',
  'privacy.stored.fetchCounts',
  'privacy.stored.network',
  'privacy.stored.mails',
  'privacy.stored.mailsDone',
  'privacy.stored.links',
  'privacy.stored.emailChanges',
  'privacy.stored.confirmations',
  'privacy.stored.passkeys',
  'privacy.stored.devices',
  'privacy.stored.destination',
  'privacy.stored.language',
  'privacy.stored.messages',
  'privacy.stored.reports',
  'privacy.stored.versions',
  'privacy.stored.views',
  'privacy.stored.singleViews',
  'privacy.stored.takenDown',
  'privacy.stored.rest',
];

/** The retention times of what the server stores. */
export function Retention() {
  const text = useText();
  return (
    <ul className="grid list-disc gap-1 pl-5">
      {kept.map((message) => (
        <li key={message}>{text(message, retention)}</li>
      ))}
    </ul>
  );
}
