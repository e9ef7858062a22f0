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

export type Reason = 'own' | 'bot' | 'copy' | 'repeated' | 'over_limit';
type Outcome = Reason | 'counted' | 'gone';

export interface CountedView {
  reel: Reel;
  day: string;
  person: string | undefined;
}

const [second, minute, day] = [1000, 60_000, 24 * 60 * 60_000];

export class WatchModel {
  /** By reel and month: the showings, the counted views, and the others by reason. */
  readonly tallies = new Map<string, Map<'shown' | 'counted' | Reason, number>>();
  /** Numbers of views that were held, held and counted later, counted and held later, counted by pace, and above the daily limit. */
  held = 0;
  freed = 0;
  takenBack = 0;
  byPace = 0;
  beyondDay = 0;
  private readonly viewed = new Set<string>();
  /** By viewer and month: the end of the viewer's used time, and the views of the last day. */
  private readonly spent = new Map<string, { until: number; day: string; views: number }>();
  private readonly last = new Map<string, { shown: Shown | undefined; at: number }>();
  private readonly browsed = new Map<string, number>();
  private readonly networks = new Map<string, Set<string>>();
  private atHome: (CountedView & { network: string })[] = [];
  private ofCopies: (CountedView & { network: string; keys: string[] })[] = [];
  /** Counted views without a login, by network and day. */
  private readonly signedOut = new Map<string, CountedView[]>();
  private readonly dayOf: (at: number) => string;
  private readonly paceUntil: number;
  private readonly tell: { count: (view: CountedView) => void; uncount: (view: CountedView) => void };

  /** `dayOf`: in the business time zone. `count` is called for each counted view, `uncount` for one that turns out to be the creator's own. */
  constructor(
    dayOf: (at: number) => string,
    paceUntil: number,
    tell: { count: (view: CountedView) => void; uncount: (view: CountedView) => void },
  ) {
    this.dayOf = dayOf;
    this.paceUntil = paceUntil;
    this.tell = tell;
  }

  /**
   * A person is signed in on a network. With the third person besides the creator the network is not the creator's own, and the held views
   * count. The views that were counted there earlier on that day are the person's own, if the network is.
   */
  appear(person: string, network: string, at: number): void {
    const today = this.dayOf(at);
    const isNew = this.networks.get(`${network} ${today}`)?.has(person) !== true;
    for (const when of [today, today.slice(0, 7)]) {
      const key = `${network} ${when}`;
      this.networks.set(key, (this.networks.get(key) ?? new Set()).add(person));
    }
    const isFreed = (view: CountedView & { network: string }) =>
      view.network === network &&
      view.day.slice(0, 7) === today.slice(0, 7) &&
      this.isShared(network, view.day, view.reel.creator);
    for (const view of this.atHome.filter(isFreed)) {
      this.tally(view.reel, view.day, 'own', -1);
      this.tally(view.reel, view.day, 'counted');
      this.freed += 1;
      this.counted(view, network);
    }
    this.atHome = this.atHome.filter((view) => !isFreed(view));
    if (isNew && !this.isShared(network, today, person)) this.takeBack(person, network, today);
  }

  private takeBack(creator: string, network: string, today: string): void {
    const isOwn = (view: CountedView & { network: string }) =>
      view.person === undefined &&
      view.network === network &&
      view.day === today &&
      view.reel.creator === creator;
    for (const { keys } of this.ofCopies.filter(isOwn)) for (const key of keys) this.viewed.delete(key);
    this.ofCopies = this.ofCopies.filter((view) => !isOwn(view));
    const views = this.signedOut.get(`${network} ${today}`) ?? [];
    for (const view of views.filter(({ reel }) => reel.creator === creator)) {
      this.tally(view.reel, today, 'counted', -1);
      this.tally(view.reel, today, 'own');
      this.atHome.push({ ...view, network });
      this.takenBack += 1;
      this.tell.uncount(view);
    }
    this.signedOut.set(
      `${network} ${today}`,
      views.filter(({ reel }) => reel.creator !== creator),
    );
  }

  private counted(view: CountedView, network: string): void {
    if (view.person === undefined) {
      const key = `${network} ${view.day}`;
      this.signedOut.set(key, [...(this.signedOut.get(key) ?? []), view]);
    }
    this.tell.count(view);
  }

  /** Deletes the presence of a deleted account. */
  forget(person: string): void {
    for (const there of this.networks.values()) there.delete(person);
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
    if (reel.isGone || at >= this.paceUntil) return;
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
      const { reel } = shown;
      const key = `${viewerOf(shown.who)} ${reel.id}`;
      const isFinal = reel.isGone || (reel.isCopy && this.isAtHome(shown, at));
      const isTwice = isOneBatch && inBatch.has(key) && !isFinal;
      inBatch.add(key);
      if (isTwice) this.tally(reel, this.dayOf(at), 'repeated');
      return isTwice ? false : this.watch(shown, at);
    });
  }

  private watch(shown: Shown, at: number): boolean {
    const { reel, who } = shown;
    const today = this.dayOf(at);
    const outcome = this.outcome(shown, at);
    if (outcome === 'gone') return false;
    const isHeld = outcome === 'counted' && this.isAtHome(shown, at);
    this.tally(reel, today, isHeld ? 'own' : outcome);
    const view = { reel, day: today, person: who.person };
    if (isHeld) {
      this.atHome.push({ ...view, network: who.network });
      this.held += 1;
    } else if (outcome === 'counted') this.counted(view, who.network);
    else if (outcome === 'copy' && !this.isAtHome(shown, at))
      this.ofCopies.push({ ...view, network: who.network, keys: keysOf(shown, today) });
    return outcome === 'counted' && !isHeld;
  }

  private outcome({ reel, who, at: shownAt }: Shown, at: number): Outcome {
    if (reel.isGone) return 'gone';
    if (reel.isCopy && this.isAtHome({ reel, who }, at)) return 'copy';
    const today = this.dayOf(at);
    const browsed = this.browsed.get(`${reel.creator} ${who.browser}`);
    if (browsed !== undefined && Date.parse(today) - browsed <= 30 * day) return 'own';
    const viewer = viewerOf(who);
    const keys = keysOf({ reel, who, at: shownAt }, today);
    if (keys.some((one) => this.viewed.has(one))) return 'repeated';
    const key = `${viewer} ${today.slice(0, 7)}`;
    const spent = this.spent.get(key) ?? { until: 0, day: today, views: 0 };
    const until = Math.max(spent.until, shownAt) + 0.8 * requiredOf(reel);
    const views = spent.day === today ? spent.views + 1 : 1;
    if (views > 1000) this.beyondDay += 1;
    if (until > at || views > 1000) return 'over_limit';
    this.spent.set(key, { until, day: today, views });
    for (const one of keys) this.viewed.add(one);
    return reel.isCopy ? 'copy' : 'counted';
  }

  /** Whether a view without a login is from a network of the creator alone. */
  private isAtHome({ reel, who }: Pick<Shown, 'reel' | 'who'>, at: number): boolean {
    const today = this.dayOf(at);
    return (
      who.person === undefined &&
      this.networks.get(`${who.network} ${today}`)?.has(reel.creator) === true &&
      !this.isShared(who.network, today, reel.creator)
    );
  }

  /**
   * A person finds that a reel is no copy: its recorded views count now. Returns their number.
   */
  findOwn(reel: Reel, at: number): number {
    const month = this.dayOf(at).slice(0, 7);
    const views = this.ofCopies.filter((view) => view.reel === reel);
    this.ofCopies = this.ofCopies.filter((view) => view.reel !== reel);
    this.tally(reel, month, 'counted', views.length);
    this.tally(reel, month, 'copy', -views.filter((view) => view.day.startsWith(month)).length);
    reel.isCopy = false;
    return views.length;
  }

  /** Views of copies from before a day are deleted. */
  forgetCopies(before: string): void {
    this.ofCopies = this.ofCopies.filter((view) => view.day >= before);
  }

  private isShared(network: string, when: string, creator: string): boolean {
    const there = this.networks.get(`${network} ${when.slice(0, 7)}`) ?? new Set();
    return [...there].filter((person) => person !== creator).length >= 3;
  }

  private tally(reel: Reel, when: string, what: 'shown' | Outcome, many = 1): void {
    if (what === 'gone') return;
    const key = `${reel.id} ${when.slice(0, 7)}`;
    const tallies = this.tallies.get(key) ?? new Map();
    this.tallies.set(key, tallies.set(what, (tallies.get(what) ?? 0) + many));
  }
}

/** A signed-in person is one viewer everywhere; others are identified by network and browser. */
export const viewerOf = ({ person, browser, network, agent }: Viewer) =>
  person ?? `${network} ${browser ?? agent}`;

/** A viewer counts once for a reel on a day, and once for a showing. */
const keysOf = ({ reel, who, at }: Shown, on: string) =>
  [on, `shown at ${at}`].map((when) => `${viewerOf(who)} ${reel.id} ${when}`);

/** Five seconds, or nine tenths of a shorter reel, in milliseconds. */
const requiredOf = ({ seconds }: Reel) => Math.min(5, 0.9 * seconds) * second;
