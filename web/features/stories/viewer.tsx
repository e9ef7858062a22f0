import { useQuery } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, Ellipsis, Pause, Play, X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Menu, menuItemLook } from '#web/ui/menu.tsx';
import { hasHydrated, useHydrated } from '#web/ui/use-hydrated.ts';
import { useKeys } from '#web/ui/use-keys.ts';
import { useHidden, useMedia } from '#web/ui/use-media.ts';
import { ReportDialog } from '../reports/fetched-dialog.ts';
import { ReportWithoutScript } from '../reports/report-without-script.tsx';
import { useSession } from '../session/use-session.ts';
import { ShareDialog } from '../share/share-button.tsx';
import { PersonWords } from '../words/person-words.tsx';
import { firstUnseen } from './saw-story.ts';
import { storyRow } from './seen.ts';
import { Slide, StoryPicture } from './slide.tsx';
import type { ShownStory } from './stories.ts';
import { useGestures } from './use-gestures.ts';
import { usePeople } from './use-people.ts';
import './viewer.css';

/** As long as a picture takes to look at, and its text to read. */
const timeFor = ({ statustext }: ShownStory) => Math.min(20_000, 5000 + 50 * statustext.length);

interface ViewerProps {
  userId: string;
  /** At least one. */
  stories: ShownStory[];
  /** Until then the first picture is shown as the server has rendered it, and no time runs. */
  ready?: boolean;
}

/** The stories of a person over the whole screen. */
export function Viewer({ userId, stories, ready = false }: ViewerProps) {
  const text = useText();
  const title = useId();
  const { user } = useSession();
  const isOwn = user?._id === userId;
  const { data: row } = useQuery(storyRow);
  const { move, leave, hasNext, hasBefore, next } = usePeople(userId);
  const dialog = useRef<HTMLDialogElement>(null);
  const hydrated = useHydrated();
  const [index, setIndex] = useState(() => (hasHydrated() ? firstUnseen(stories, row) : 0));
  const [paused, setPaused] = useState(false);
  const [menu, setMenu] = useState(false);
  const [opened, setOpened] = useState<'share' | 'report'>();
  const [runs, setRuns] = useState(false);
  const hidden = useHidden();
  const still = useMedia('(prefers-reduced-motion: reduce)');
  const { held, handlers } = useGestures({ onSwipe: (by) => void move(by), onDown: leave });

  // The list may have become shorter.
  const place = Math.min(index, stories.length - 1);
  const story = stories[place] as ShownStory;

  useEffect(() => {
    const shown = dialog.current;
    if (!shown) return;
    // The server's page has it open already, and a modal one is opened from the closed state.
    shown.open = false;
    shown.showModal();
    shown.focus();
    return () => shown.close();
  }, []);

  // The server's page begins with the first story, since it does not know what was seen.
  const begin = useRef(!hasHydrated());
  useLayoutEffect(() => {
    if (!begin.current || !row) return;
    begin.current = false;
    setIndex(firstUnseen(stories, row));
  }, [row, stories]);

  function show(by: 1 | -1) {
    begin.current = false;
    const at = place + by;
    if (at >= 0 && at < stories.length) setIndex(at);
    else if (by === 1 || hasBefore) void move(by);
  }

  function close() {
    setOpened(undefined);
    // The menu that had the focus is closed.
    requestAnimationFrame(() => dialog.current?.focus());
  }

  useKeys(!menu && opened === undefined, (target) => ({
    arrowright: () => show(1),
    arrowleft: () => show(-1),
    arrowdown: hasNext ? () => void move(1) : undefined,
    arrowup: hasBefore ? () => void move(-1) : undefined,
    ' ': target.closest('button, a, summary') ? undefined : () => setPaused(!paused),
  }));

  const { username, profilePic, statustext, seenBy } = story;
  const upcoming = stories[place + 1] ?? next?.[firstUnseen(next, row)];
  const atStart = place === 0 && !hasBefore;
  const viewer = (
    <dialog
      ref={dialog}
      open
      tabIndex={-1}
      aria-labelledby={title}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      data-held={held || undefined}
      className="stories on-night"
    >
      <h1 id={title} className="sr-only">
        {text('story.title', { username })}
      </h1>
      <p aria-live="polite" className="sr-only">
        {text('story.place', { place: place + 1, count: stories.length })}
      </p>
      <div
        aria-hidden
        className="stories-backdrop"
        style={{ backgroundImage: story.placeholder && `url(${story.placeholder})` }}
      />
      <div className="stories-stage" {...handlers}>
        {ready ? (
          <Slide
            key={story._id}
            story={story}
            milliseconds={timeFor(story)}
            rests={held || paused || menu || opened !== undefined || hidden || still}
            isOwn={isOwn}
            onOver={() => show(1)}
            onRun={setRuns}
          />
        ) : (
          <StoryPicture story={story} />
        )}
        <button
          type="button"
          aria-label={text('story.before')}
          aria-disabled={atStart || undefined}
          onClick={() => show(-1)}
          className="stories-side needs-script left-0 w-1/3 justify-start"
        >
          <ChevronLeft aria-hidden className="stories-arrow" />
        </button>
        <button
          type="button"
          aria-label={text('story.next')}
          onClick={() => show(1)}
          className="stories-side needs-script right-0 w-2/3 justify-end"
        >
          <ChevronRight aria-hidden className="stories-arrow" />
        </button>
      </div>
      <div className="stories-head">
        <ol aria-hidden className="flex gap-1">
          {stories.map(({ _id }, at) => (
            <li key={_id} className="stories-bar">
              <span
                key={String(at === place)}
                data-part={at < place || (still && at === place) ? 'done' : at === place ? 'now' : undefined}
                style={{
                  animationDuration: `${timeFor(story)}ms`,
                  animationPlayState: runs ? 'running' : 'paused',
                }}
              />
            </li>
          ))}
        </ol>
        <div className="mt-2 flex items-center gap-1">
          <Link
            to={`/user/${userId}`}
            state={{ username }}
            className="flex min-h-11 min-w-0 items-center gap-2 rounded-control pr-2"
          >
            <Avatar src={profilePic} name={username} className="size-9" />
            <span className="truncate pt-0.5 font-bold">{username}</span>
          </Link>
          <TimeAgo at={story.createdAt} className="mr-auto shrink-0 text-[0.9375rem]" />
          <ReportWithoutScript className="stories-button" />
          {!still && (
            <button
              type="button"
              aria-label={text(paused ? 'player.play' : 'player.pause')}
              onClick={() => setPaused(!paused)}
              className="stories-button needs-script"
            >
              {paused ? <Play aria-hidden className="size-6" /> : <Pause aria-hidden className="size-6" />}
            </button>
          )}
          <Menu
            trigger={<Ellipsis aria-hidden className="size-6" />}
            triggerClassName="stories-button needs-script"
            label={text('story.more')}
            panelClassName="text-text"
            onToggle={setMenu}
          >
            <button type="button" className={menuItemLook} onClick={() => setOpened('share')}>
              {text('post.share')}
            </button>
            <Link to={isOwn ? '/UserProfile?tab=stories' : `/user/${userId}`} className={menuItemLook}>
              {text(isOwn ? 'story.own' : 'story.profile')}
            </Link>
            {!isOwn && (
              <button type="button" className={menuItemLook} onClick={() => setOpened('report')}>
                {text('report.open')}
              </button>
            )}
          </Menu>
          {hydrated ? (
            <button
              type="button"
              aria-label={text('dialog.close')}
              onClick={leave}
              className="stories-button"
            >
              <X aria-hidden className="size-6" />
            </button>
          ) : (
            <Link to={`/user/${userId}`} aria-label={text('dialog.close')} className="stories-button">
              <X aria-hidden className="size-6" />
            </Link>
          )}
        </div>
      </div>
      <div className="stories-foot">
        {statustext && (
          <p className={classNames('whitespace-pre-line', statustext.length > 160 && 'text-sm')}>
            <PersonWords words={statustext} />
          </p>
        )}
        {isOwn && seenBy !== undefined && (
          <p className="figures font-semibold">{text('story.seenBy', { count: seenBy })}</p>
        )}
      </div>
      {/* The next picture is there before it is shown. */}
      {ready && upcoming && (
        <div aria-hidden className="invisible absolute inset-0 -z-1">
          <StoryPicture key={upcoming._id} story={upcoming} />
        </div>
      )}
    </dialog>
  );
  return (
    <>
      {viewer}
      {opened === 'share' && <ShareDialog path={`/story/${userId}`} onClose={close} />}
      {opened === 'report' && <ReportDialog kind="story" id={story._id} onClose={close} />}
    </>
  );
}
