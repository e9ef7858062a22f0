import { Link } from 'react-router';
import { T, useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { languageOf } from '../words/language-of.ts';
import { AboutPicture } from './about-picture.tsx';
import { addressOf, isKnown } from './address-of.ts';
import { isLike, type Line } from './grouped-likes.ts';
import { Senders } from './senders.tsx';

/** Who did what and when, with a picture of what it is about, and a link to that or to the person. */
export function NotificationLine({ line }: { line: Line }) {
  const text = useText();
  const [newest] = line;
  const { username, comment, about, createdAt } = newest;
  const to = addressOf(newest);
  const isNew = line.some(({ read }) => !read);
  return (
    <Link
      to={to}
      state={to.startsWith('/user/') ? { username } : undefined}
      className="flex items-center gap-3 rounded-panel px-3 py-3 hover:bg-sunken sm:gap-4"
    >
      <Senders line={line} />
      <span className="min-w-0 flex-1">
        <span className={classNames('block leading-snug', isNew && 'font-semibold')}>
          <Sentence line={line} />
        </span>
        {comment && (
          <span dir="auto" lang={languageOf(comment)} className="line-clamp-2 leading-snug">
            {comment}
          </span>
        )}
        <span className="flex items-center gap-2 text-[0.9375rem] text-soft">
          <TimeAgo at={createdAt} />
          {isNew && (
            <span className="size-2.5 rounded-full bg-accent">
              <span className="sr-only">{text('activity.new')}</span>
            </span>
          )}
        </span>
      </span>
      {about && <AboutPicture about={about} />}
    </Link>
  );
}

function Sentence({ line: [newest, second, ...others] }: { line: Line }) {
  const { kind, title, username } = newest;
  if (!isKnown(kind)) return title;
  if (!second || !isLike(kind)) return <T id={`activity.${kind}`} values={{ username }} />;
  const values = { first: username, second: second.username, others: others.length };
  return <T id={`activity.many.${kind}`} values={values} />;
}
