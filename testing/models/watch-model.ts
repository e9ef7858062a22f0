/**
 * A second, independent implementation of which showings become paying views (decisions §4), written for clarity and not for speed: leases,
 * own views, one view a day, the time of a viewer, older apps, and the reasons for views that do not pay.
 */
export interface Reel {
  id: string;
  creator: string;
  seconds: number;
  /** The month of its publication. */
  month: string;
  isCopy: boolean;
  isGone: boolean;
}

export interface Viewer {
  person?: string | undefined;
  /** The random id that the browser stores. */
  browser?: string | undefined;
  network: string;
  agent: string;
  isBot: boolean;
}

/** A showing that can count. */
export interface Shown {
  reel: Reel;
  who: Viewer;
  at: number;
}

export type Reason = 'own' | 'bot' | 'copy' | 'repeated' | 'over_limit' | 'too_late';
type Outcome = Reason | 'counted' | 'gone';

export interface CountedView {
  reel: Reel;
  day: string;
  person: string | undefined;
}

const [second, minute, day] = [1000, 60_000, 24 * 60 * 60_000];

export interface WatchRules {
  /** The day of a moment in the business time zone. */
  dayOf(at: number): string;
  /** Until when older apps are measured by their pace. */
  paceUntil: number;
  /** Whether a month is closed: views of it are too late. */
  isClosed(month: string): boolean;
  /** Called for each view that counts. */
  count(view: CountedView): void;
}

export class WatchModel {
  /** By reel and month: the showings, the counted views, and the others by reason. */
  readonly tallies = new Map<string, Map<'shown' | 'counted' | Reason, number>>();
  /** Numbers of views counted by pace, and above the daily limit. */
  byPace = 0;
  beyondDay = 0;
  private readonly viewed = new Set<string>();
  /** By viewer and month: the end of the viewer's used time, and the views of the last day. */
  private readonly spent = new Map<string, { until: number; day: string; views: number }>();
  private readonly last = new Map<string, { shown: Shown | undefined; at: number }>();
  private readonly browsed = new Map<string, number>();
  private ofCopies: CountedView[] = [];
  private readonly rules: WatchRules;

  constructor(rules: WatchRules) {
    this.rules = rules;
  }

  private dayOf = (at: number) => this.rules.dayOf(at);

  /** Deletes the browsers of a deleted account. */
  forget(person: string): void {
    for (const key of this.browsed.keys()) if (key.startsWith(`${person} `)) this.browsed.delete(key);
  }

  /** Undefined for a showing that can never count. */
  show(reel: Reel, who: Viewer, at: number): Shown | undefined {
    if (who.person !== undefined && who.browser !== undefined)
      this.browsed.set(`${who.person} ${who.browser}`, Date.parse(this.dayOf(at)));
    if (reel.isGone) return undefined;
    const today = this.dayOf(at);
    this.tally(reel, today, 'shown');
    const isOwn = who.person === reel.creator;
    const reason = isOwn ? 'own' : who.isBot ? 'bot' : undefined;
    if (reason) this.tally(reel, today, reason);
    return reason ? undefined : { reel, who, at };
  }

  /** A showing in an app without leases: the previous one was watched if this one comes after 5 s and within 10 min. */
  showInOldApp(reel: Reel, who: Viewer & { person: string }, at: number): void {
    const shown = this.show(reel, who, at);
    if (reel.isGone || at >= this.rules.paceUntil) return;
    const before = this.last.get(who.person);
    this.last.set(who.person, { shown, at });
    if (!before?.shown) return;
    const passed = at - before.at;
    if (passed >= 5 * second && passed <= 10 * minute && this.watch(before.shown, at)) this.byPace += 1;
  }

  /** This many viewers without a login watch a reel, each once. */
  crowd(reel: Reel, when: string, many: number): void {
    this.tally(reel, when, 'shown', many);
    this.tally(reel, when, 'counted', many);
  }

  /** The reports of one call, in the order of their showings. Returns which count. `isOneBatch`: only the first of equal ones is judged. */
  report(reports: readonly { shown: Shown; seconds: number }[], at: number, isOneBatch = false): boolean[] {
    const inOrder = reports
      .filter(({ shown, seconds }) => {
        const required = requiredOf(shown.reel);
        const passed = at - shown.at;
        return seconds * second >= required && passed >= 0.8 * required && passed <= 10 * minute;
      })
      .sort((one, other) => one.shown.at - other.shown.at);
    const inBatch = new Set<string>();
    return inOrder.map(({ shown }) => {
      const key = keyOf(shown, this.dayOf(shown.at));
      const isTwice = isOneBatch && inBatch.has(key) && !shown.reel.isGone && !this.isTooLate(shown);
      inBatch.add(key);
      if (isTwice) this.tally(shown.reel, this.dayOf(shown.at), 'repeated');
      return isTwice ? false : this.watch(shown, at);
    });
  }

  private isTooLate = ({ at }: Shown) => this.rules.isClosed(this.dayOf(at).slice(0, 7));

  /** A view belongs to the day of its showing. */
  private watch(shown: Shown, at: number): boolean {
    const { reel, who } = shown;
    const day = this.dayOf(shown.at);
    const outcome = this.outcome(shown, at);
    this.tally(reel, day, outcome);
    const view = { reel, day, person: who.person };
    if (outcome === 'copy') this.ofCopies.push(view);
    if (outcome === 'counted') this.rules.count(view);
    return outcome === 'counted';
  }

  private outcome(shown: Shown, at: number): Outcome {
    const { reel, who } = shown;
    if (reel.isGone) return 'gone';
    if (this.isTooLate(shown)) return 'too_late';
    const [shownOn, today] = [this.dayOf(shown.at), this.dayOf(at)];
    const browsed = this.browsed.get(`${reel.creator} ${who.browser}`);
    if (browsed !== undefined && Date.parse(shownOn) - browsed <= 30 * day) return 'own';
    const key = keyOf(shown, shownOn);
    if (this.viewed.has(key)) return 'repeated';
    const clock = `${viewerOf(who)} ${shownOn.slice(0, 7)}`;
    const spent = this.spent.get(clock) ?? { until: 0, day: today, views: 0 };
    const until = Math.max(spent.until, shown.at) + 0.8 * requiredOf(reel);
    const views = spent.day === today ? spent.views + 1 : 1;
    if (views > 1000) this.beyondDay += 1;
    if (until > at || views > 1000) return 'over_limit';
    this.spent.set(clock, { until, day: today, views });
    this.viewed.add(key);
    return reel.isCopy ? 'copy' : 'counted';
  }

  /** A person finds that a reel is no copy: its views of months that are not closed count. Returns how many there are by month. */
  findOwn(reel: Reel): Map<string, number> {
    const views = this.ofCopies.filter((view) => view.reel === reel);
    this.ofCopies = this.ofCopies.filter((view) => view.reel !== reel);
    const months = [...Map.groupBy(views, ({ day: on }) => on.slice(0, 7))];
    for (const [month, { length }] of months) {
      if (this.rules.isClosed(month)) continue;
      this.tally(reel, month, 'counted', length);
      this.tally(reel, month, 'copy', -length);
    }
    reel.isCopy = false;
    return new Map(months.map(([month, { length }]) => [month, length]));
  }

  private tally(reel: Reel, when: string, what: 'shown' | Outcome, many = 1): void {
    if (what === 'gone') return;
    const key = `${reel.id} ${when.slice(0, 7)}`;
    const tallies = this.tallies.get(key) ?? new Map();
    this.tallies.set(key, tallies.set(what, (tallies.get(what) ?? 0) + many));
  }
}

/** A viewer counts once for a reel on a day. */
const keyOf = ({ reel, who }: Shown, on: string) => `${viewerOf(who)} ${reel.id} ${on}`;

/** A signed-in person is one viewer everywhere; others are identified by network and browser. */
export const viewerOf = ({ person, browser, network, agent }: Viewer) =>
  person ?? `${network} ${browser ?? agent}`;

/** Five seconds, or nine tenths of a shorter reel, in milliseconds. */
const requiredOf = ({ seconds }: Reel) => Math.min(5, 0.9 * seconds) * second;
