import { clips } from '../clips/catalogue.ts';
import { before } from '../demo.ts';
import { oldest, unknown } from '../people.ts';
import { randomOf } from '../random.ts';

/** A watched view in the demo's history. The viewer is a visitor or a person with an account, given by index. */
export interface Watched {
  clip: number;
  at: Date;
  visitor?: number;
  viewer?: number;
}

const [second, hour] = [1000, 60 * 60 * 1000];

/** A person with an account visits on some evenings and watches about six reels in a row. */
export function visitsOf(viewer: number, now: Date): Watched[] {
  const random = randomOf(viewer + 501);
  const views: Watched[] = [];
  for (let daysAgo = oldest - viewer - 1; daysAgo > 0; daysAgo -= 1) {
    const [comes, moment, wanted] = [random() < 0.4, random() * 3 * hour, 4 + Math.floor(random() * 5)];
    if (!comes) continue;
    const begins = before(now, daysAgo).getTime() + moment;
    const there = [...clips.keys()].filter((clip) => {
      const { by = '', daysAgo: published = 0 } = clips[clip] ?? {};
      return published > daysAgo && !unknown.includes(by);
    });
    for (let seen = 0; seen < wanted && there.length > 0; seen += 1) {
      const [clip = 0] = there.splice(Math.floor(random() * there.length), 1);
      views.push({ clip, at: new Date(begins + seen * 20 * second), viewer });
    }
  }
  return views;
}
