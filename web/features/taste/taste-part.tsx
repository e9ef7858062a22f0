import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { useSession } from '../session/use-session.ts';
import { Part } from '../settings/part.tsx';
import { HomeTabChoice } from './home-tab-choice.tsx';
import { MutedList } from './muted-list.tsx';
import { OwnTaste } from './own-taste.tsx';
import { VisitTaste } from './visit-taste.tsx';

await loadPart('taste');

const id = 'taste';

/** What For you knows, of a person and of this visit, and what is left out of it. */
export default function TastePart() {
  const text = useText();
  const { token } = useSession();
  const { hash } = useLocation();
  const ref = useRef<HTMLDivElement>(null);
  // The page is longer once its lists are there, so the browser could not go there by itself.
  useEffect(() => {
    if (hash !== `#${id}`) return;
    ref.current?.scrollIntoView();
    ref.current?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <div ref={ref} id={id} tabIndex={-1} className="scroll-mt-20 outline-none">
      <Part title={text('taste.title')}>
        <p className="text-soft">{text('taste.lead')}</p>
        {token ? <OwnTaste /> : <VisitTaste />}
        <MutedList />
        <HomeTabChoice />
      </Part>
    </div>
  );
}
