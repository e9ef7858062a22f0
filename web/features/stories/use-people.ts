import { useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from 'react-router';
import { queryClient } from '#web/query-client.ts';
import { leaveStoriesOf } from './return-focus.ts';
import type { StoryState } from './seen.ts';
import { type ShownStory, storiesOf } from './stories.ts';
import { swallowTaps } from './swallow-taps.ts';

/** Whose stories come before and after, and how the viewer is left. */
export function usePeople(userId: string) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const { people = [userId] } = (state ?? {}) as StoryState;
  const place = people.indexOf(userId);
  const nextId = people[place + 1];
  const next = useQuery({ ...storiesOf(nextId ?? ''), enabled: nextId !== undefined });

  function leave() {
    leaveStoriesOf(userId);
    swallowTaps();
    // React Router counts the pages of this visit; before the first one there is no page of this site.
    if (window.history.state?.idx > 0) void navigate(-1);
    else void navigate(`/user/${userId}`, { replace: true });
  }

  /** Shows the next person who still has stories; beyond the last one the viewer closes. */
  async function move(by: 1 | -1): Promise<void> {
    const others = by === 1 ? people.slice(place + 1) : people.slice(0, place).reverse();
    for (const other of others) {
      const stories = await queryClient()
        .fetchQuery(storiesOf(other))
        .catch((): ShownStory[] => []);
      if (stories.length === 0) continue;
      const kept: StoryState = { people };
      return void navigate(`/story/${other}`, { replace: true, preventScrollReset: true, state: kept });
    }
    if (by === 1) leave();
  }

  return { move, leave, hasNext: nextId !== undefined, hasBefore: place > 0, next: next.data };
}
