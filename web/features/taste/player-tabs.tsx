import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { loadPart } from '#web/messages/catalogues.ts';
import { failureText, useText } from '#web/text.tsx';
import { notify } from '#web/ui/notices.ts';
import type { PlayerState, ReelList } from '../player/playlist.ts';
import { useSession } from '../session/use-session.ts';
import { useLogIn, useNobodyFollowed } from './nobody-followed.tsx';
import { openTab } from './open-tab.ts';
import { type FeedTab, feedTabs, tabLabels } from './tabs.ts';

await loadPart('taste');

interface PlayerTabsProps {
  /** What plays now. */
  list: ReelList | undefined;
  /** What a tab says in place of a list. */
  said: ReactNode;
  onSay: (said: ReactNode) => void;
  onList: (list: PlayerState) => void;
}

/** A tab was pressed, whose list replaces the player; the new one's tab gets the focus. */
let hasFocus = false;

/** The tabs of the player. Arrow keys move between them, and Enter plays the list of the focused one. */
export default function PlayerTabs({ list, said, onSay, onList }: PlayerTabsProps) {
  const text = useText();
  const { token } = useSession();
  const [pressed, setPressed] = useState<FeedTab>();
  const [busy, setBusy] = useState(false);
  const playing = tabOf(list);
  const selected = busy || said !== undefined ? pressed : playing;

  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hasFocus) ref.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    hasFocus = false;
  }, []);

  async function press(tab: FeedTab) {
    if (busy) return;
    setPressed(tab);
    onSay(undefined);
    if (tab === 'following' && !token) return onSay(<LogIn />);
    setBusy(true);
    try {
      const opened = await openTab(tab, { again: tab === playing });
      hasFocus = opened !== undefined;
      if (opened) onList(opened);
      else onSay(tab === 'following' ? <NobodyFollowed /> : <Nothing />);
    } catch (error) {
      notify('error', failureText(error, text));
    } finally {
      setBusy(false);
    }
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const all = [...event.currentTarget.children] as HTMLElement[];
    const at = all.indexOf(event.target as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    all[(to + all.length) % all.length]?.focus();
  }

  return (
    <div
      ref={ref}
      role="tablist"
      aria-label={text('tab.lists')}
      aria-busy={busy || undefined}
      onKeyDown={onKeyDown}
      className="player-tabs over-video"
    >
      {feedTabs.map((tab) => (
        <button
          key={tab}
          type="button"
          role="tab"
          aria-selected={tab === selected}
          tabIndex={tab === (selected ?? feedTabs[0]) ? 0 : -1}
          onClick={() => press(tab)}
        >
          {text(tabLabels[tab])}
        </button>
      ))}
    </div>
  );
}

/** A list of somebody or of a search has no tab. */
function tabOf(list: ReelList | undefined): FeedTab | undefined {
  if (list?.of === 'feed') return 'newest';
  return list?.of === 'forYou' || list?.of === 'following' ? list.of : undefined;
}

const LogIn = () => <Said {...useLogIn()} />;
const NobodyFollowed = () => <Said {...useNobodyFollowed()} />;

function Nothing() {
  const text = useText();
  return <Said title={text('forYou.none')} words={text('forYou.noneText')} />;
}

function Said({ title, words, action }: { title: string; words: string; action?: ReactNode }) {
  return (
    <div role="status" className="player-up-to-date">
      <p className="text-2xl font-bold">{title}</p>
      <p className="text-night-soft">{words}</p>
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
