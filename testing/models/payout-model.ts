import type { Request } from './pay-model.ts';

/*
 * An independent model of payouts, written for clarity: destinations, batches, attempts, and reports of payers.
 * Methods that can be refused return the code of the refusal.
 */
const day = 24 * 60 * 60 * 1000;

interface Payee {
  /** Undefined until the address is verified. */
  verifiedAt: number | undefined;
  isSuspended: boolean;
  destination: string | undefined;
  /** All destinations that they ever had. */
  ever: Set<string>;
  heldUntil: number;
  /** Whether RazorpayX accepts the name of the account; a UPI id has none. */
  isLatin: boolean;
  /** The account was deleted. */
  isGone: boolean;
}

export interface Attempt {
  id: string;
  request: PayoutRequest;
  /** Undefined if it was paid by hand. */
  batch: Batch | undefined;
  to: string | undefined;
  state: 'prepared' | 'with_payer' | 'paid' | 'failed' | 'returned' | 'cancelled';
  reference: string | undefined;
  /** The steps that its creator sees. */
  steps: string[];
  paidAt?: number;
  /** The API of a payer was called for it. */
  isCalled?: boolean;
  /** The operator who recorded that it was not made, and when; undefined if the API of a payer reported it. */
  unpaid?: { by: string; at: number };
}

export type PayoutRequest = Request & {
  askedAt: number;
  reference: string | null;
  /** When its creator cancelled it; undefined if they did not, or if it was paid nevertheless. */
  cancelledAt?: number | undefined;
};

export interface Batch {
  id: string;
  payer: string;
  state: 'proposed' | 'approved' | 'sent' | 'cancelled';
  paise: number;
  needsApproval: boolean;
  madeAt: number;
  madeBy: string;
  approvedBy: string | undefined;
}

export type PayerReport = { state: 'paid'; reference: string } | { state: 'failed' | 'returned' };
export type Refused = string | undefined;

export class PayoutModel {
  readonly requests: PayoutRequest[] = [];
  readonly attempts: Attempt[] = [];
  readonly batches: Batch[] = [];
  readonly payees = new Map<string, Payee>();
  readonly operators: readonly string[];
  readonly approvalAbove: number;

  constructor(operators: readonly string[], approvalAbove: number) {
    this.operators = operators;
    this.approvalAbove = approvalAbove;
  }

  payee(creator: string): Payee {
    const known = this.payees.get(creator);
    if (known) return known;
    const heldUntil = 0;
    const payee = {
      verifiedAt: undefined,
      isSuspended: false,
      destination: undefined,
      ever: new Set<string>(),
      isLatin: true,
      isGone: false,
    };
    this.payees.set(creator, { ...payee, heldUntil });
    return this.payee(creator);
  }

  choose(creator: string, destination: string, { isLatin, now }: { isLatin: boolean; now: number }): void {
    const payee = this.payee(creator);
    payee.isLatin = isLatin;
    if (payee.destination === destination) return;
    payee.heldUntil = now + 3 * day;
    payee.destination = destination;
    payee.ever.add(destination);
  }

  /** Payments that were not sent leave their batches. */
  remove(creator: string): void {
    if (this.payee(creator).destination === undefined) return;
    this.payee(creator).destination = undefined;
    for (const one of this.attempts)
      if (this.isStoppable(one) && one.request.creator === creator) one.state = 'cancelled';
  }

  /** No payer has it: the API of a payer is called some time after the batch was sent. */
  private isStoppable({ state, batch, isCalled }: Attempt): boolean {
    return state === 'prepared' || (state === 'with_payer' && batch?.payer !== 'file' && !isCalled);
  }

  /** Whether a payment is not requested from the API of a payer, because its creator cannot be paid there any more. */
  isStopped(one: Attempt, now: number): boolean {
    if (one.state !== 'with_payer' || !this.isStoppable(one)) return false;
    return !this.canBePaid(one.request.creator, now, one.batch?.payer ?? '') || this.isElsewhere(one);
  }

  /** The creator cancels the request for a month, or the one that carries it. */
  cancelRequest(creator: string, month: string, now: number): Refused {
    const all = this.requests.filter(
      (one) => one.creator === creator && (one.month === month || one.carried.includes(month)),
    );
    const request = all.find(({ state }) => state !== 'rejected');
    if (!request) return all.length === 0 ? 'not_found' : undefined;
    const attempts = this.attemptsOf(request);
    const isHandedOver = (one: Attempt) =>
      one.state === 'failed'
        ? one.batch?.payer === 'file' || one.isCalled
        : one.state !== 'cancelled' && !this.isStoppable(one);
    if (attempts.some(isHandedOver)) return 'already_sent';
    for (const one of attempts) if (one.state !== 'failed') one.state = 'cancelled';
    request.state = 'rejected';
    request.cancelledAt = now;
    return undefined;
  }

  /** Whether its creator cancelled this month three times within a day. */
  isCancelledOften(creator: string, month: string, now: number): boolean {
    const cancelled = this.requests
      .filter((one) => one.creator === creator && (one.month === month || one.carried.includes(month)))
      .filter((one) => one.state === 'rejected' && (one.cancelledAt ?? 0) > now - day);
    return cancelled.length >= 3;
  }

  /** Deletes an account. Pending withdrawals must be paid or rejected first. */
  leave(creator: string): Refused {
    if (this.requests.some((one) => one.creator === creator && one.state === 'pending'))
      return 'withdrawal_pending';
    this.payee(creator).isGone = true;
    return undefined;
  }

  /** What a payment by this payer waits for. */
  waiting(creator: string, now: number, payer: string): string | undefined {
    const payee = this.payee(creator);
    if (payee.isGone) return undefined;
    if (payee.destination === undefined) return 'waiting_for_destination';
    if (payer !== 'file' && !payee.isLatin) return 'waiting_for_name';
    if (payee.verifiedAt === undefined) return 'waiting_for_address';
    return now < payee.heldUntil ? 'on_hold' : undefined;
  }

  attemptsOf(request: PayoutRequest): Attempt[] {
    return this.attempts.filter((one) => one.request === request);
  }

  private last(request: PayoutRequest): Attempt | undefined {
    return this.attemptsOf(request).at(-1);
  }

  private of(batch: Batch, state: Attempt['state']): Attempt[] {
    return this.attempts.filter((one) => one.batch === batch && one.state === state);
  }

  /** Whether this payer can pay the person now. */
  private canBePaid(creator: string, now: number, payer: string): boolean {
    const { isGone, isSuspended } = this.payee(creator);
    return !isGone && !isSuspended && !this.waiting(creator, now, payer);
  }

  private payable(now: number, payer: string): PayoutRequest[] {
    return this.requests
      .filter((one) => one.state === 'pending' && this.canBePaid(one.creator, now, payer))
      .filter((one) =>
        this.attemptsOf(one).every(({ state }) => ['failed', 'returned', 'cancelled'].includes(state)),
      );
  }

  /** Whether this operator has a payable request, or one to a destination of theirs, which another one has to pay. */
  hasOwnPayable(operator: string, now: number, payer: string): boolean {
    return this.payable(now, payer).some(({ creator }) => this.isOwn(operator, creator));
  }

  /** Whether what this person earns goes to the operator now. */
  private isOwn(operator: string, creator: string): boolean {
    const { destination } = this.payee(creator);
    return creator === operator || (destination !== undefined && this.payee(operator).ever.has(destination));
  }

  /** Whether an attempt goes, or went, to a destination that the operator has or had. */
  private isToOwn(operator: string, { request, to, state }: Attempt): boolean {
    const isOver = state === 'failed' || state === 'returned' || state === 'cancelled';
    if (isOver || to === undefined || this.payee(request.creator).isGone) return false;
    return this.payee(operator).ever.has(to);
  }

  /** Whether the operator may not decide about this request. */
  isOwnRequest(operator: string, request: PayoutRequest): boolean {
    if (!this.payee(request.creator).isGone && this.isOwn(operator, request.creator)) return true;
    return (
      request.creator === operator || this.attemptsOf(request).some((one) => this.isToOwn(operator, one))
    );
  }

  /** What is left of the sum that one operator may pay alone within a day. */
  private left(now: number): number {
    const batches = this.attempts
      .filter(({ batch, state }) => batch && !batch.needsApproval && state !== 'cancelled')
      .filter(({ batch }) => (batch?.madeAt ?? 0) > now - day)
      .map(({ request }) => request.paise);
    const byHand = this.attempts
      .filter((one) => one.batch === undefined && (one.paidAt ?? 0) > now - day)
      .map(({ request }) => request.paise);
    return [...batches, ...byHand].reduce((left, paise) => left - paise, this.approvalAbove);
  }

  private isAlone(operator: string): boolean {
    return !this.operators.some((one) => one !== operator && !this.payee(one).isSuspended);
  }

  /** When this operator last recorded that a payment of one of its months was not made. */
  private unpaidBy(operator: string, request: PayoutRequest): number | undefined {
    const months = (one: PayoutRequest) => [one.month, ...one.carried];
    const times = this.attempts
      .filter((one) => one.request.creator === request.creator && one.unpaid?.by === operator)
      .filter((one) => months(one.request).some((month) => months(request).includes(month)))
      .map(({ unpaid }) => unpaid?.at ?? 0);
    return times.length > 0 ? Math.max(...times) : undefined;
  }

  /** The content of a batch by this operator, and whether another one has to approve it. */
  proposal(
    operator: string,
    now: number,
    payer: string,
  ): { requests: PayoutRequest[]; paise: number; needsApproval: boolean } {
    const alone = this.left(now);
    let left = alone;
    const payable = this.payable(now, payer)
      .filter((one) => !this.isOwn(operator, one.creator))
      .sort((one, other) => one.askedAt - other.askedAt || (one.id < other.id ? -1 : 1));
    const isAlone = this.isAlone(operator);
    const requests = payable.filter((one) => {
      if (!isAlone) return true;
      if (now < (this.unpaidBy(operator, one) ?? 0) + 3 * day || one.paise > left) return false;
      left -= one.paise;
      return true;
    });
    const paise = requests.reduce((sum, one) => sum + one.paise, 0);
    const isAgain = requests.some((one) => this.unpaidBy(operator, one) !== undefined);
    return { requests, paise, needsApproval: paise > alone || (!isAlone && isAgain) };
  }

  /** `ids`: the ids of the attempts, by request. */
  make(batch: Batch, ids: ReadonlyMap<string, string>): void {
    this.batches.push(batch);
    for (const [requestId, id] of ids) {
      const request = this.requests.find((one) => one.id === requestId);
      if (!request) throw new Error(`nobody asked for ${requestId}`);
      const to = this.payee(request.creator).destination;
      const steps = batch.needsApproval ? [] : ['approved'];
      this.attempts.push({ id, request, batch, to, state: 'prepared', reference: undefined, steps });
    }
  }

  approve(batch: Batch, operator: string): Refused {
    if (batch.approvedBy === operator) return undefined;
    if (batch.state !== 'proposed') return 'batch_decided';
    if (batch.madeBy === operator) return 'own_batch';
    if (this.hasOwn(batch, operator)) return 'own_withdrawal';
    batch.state = 'approved';
    batch.approvedBy = operator;
    for (const one of this.of(batch, 'prepared')) one.steps.push('approved');
    return undefined;
  }

  private hasOwn(batch: Batch, operator: string): boolean {
    return this.attempts
      .filter((one) => one.batch === batch && one.state !== 'cancelled')
      .some((one) => one.request.creator === operator || this.isToOwn(operator, one));
  }

  send(batch: Batch, operator: string, { again, now }: { again: boolean; now: number }): Refused {
    if (this.hasOwn(batch, operator)) return 'own_withdrawal';
    if (batch.state === 'proposed') return 'batch_waits';
    if (batch.state === 'sent' && again) return undefined;
    if (batch.state !== 'approved') return 'batch_decided';
    for (const one of this.of(batch, 'prepared')) {
      const canBe = this.canBePaid(one.request.creator, now, batch.payer) && !this.isElsewhere(one);
      one.state = canBe ? 'with_payer' : 'cancelled';
      if (canBe) one.steps.push('sent');
    }
    batch.state = this.of(batch, 'with_payer').length > 0 ? 'sent' : 'cancelled';
    return undefined;
  }

  /** Payments of a batch that could be made now, but whose destination has changed since the batch was made. */
  moved(batch: Batch, now: number): Attempt[] {
    return this.of(batch, 'prepared').filter(
      (one) => this.canBePaid(one.request.creator, now, batch.payer) && this.isElsewhere(one),
    );
  }

  private isElsewhere({ request, to }: Attempt): boolean {
    return this.payee(request.creator).destination !== to;
  }

  cancel(batch: Batch): Refused {
    if (batch.state === 'cancelled') return undefined;
    if (batch.state === 'sent') return 'batch_decided';
    for (const one of this.of(batch, 'prepared')) one.state = 'cancelled';
    batch.state = 'cancelled';
    return undefined;
  }

  reject(request: PayoutRequest, operator: string): Refused {
    if (request.state !== 'pending') return 'withdrawal_decided';
    if (this.isOwnRequest(operator, request)) return 'own_withdrawal';
    const last = this.last(request);
    if (last?.state === 'with_payer') return 'payout_open';
    if (last?.state === 'prepared') last.state = 'cancelled';
    request.state = 'rejected';
    return undefined;
  }

  /** An operator reports that a request was paid, without naming an attempt. */
  complete(
    request: PayoutRequest,
    operator: string,
    { reference, now }: { reference: string; now: number },
  ): Refused {
    const wasCancelled = request.state === 'rejected' && request.cancelledAt !== undefined;
    if (request.state !== 'pending' && !wasCancelled) return 'withdrawal_decided';
    if (this.isOwnRequest(operator, request)) return 'own_withdrawal';
    const last = this.last(request);
    if (last?.state === 'prepared') return 'payout_open';
    if (last?.state === 'with_payer') {
      if (last.batch?.payer !== 'file') return 'payment_told';
      this.pay(last, reference);
      return undefined;
    }
    // Of somebody who has gone, only a payment that was made before they cancelled is recorded.
    const { isSuspended, isGone } = this.payee(request.creator);
    if (isSuspended && !isGone) return 'person_suspended';
    // An operator who pays by hand sees whether the bank accepts a name.
    if (this.waiting(request.creator, now, 'file')) return 'payout_waits';
    const unpaidAt = this.unpaidBy(operator, request);
    const isTooSoon = !this.isAlone(operator) || now < (unpaidAt ?? 0) + 3 * day;
    if ((unpaidAt !== undefined && isTooSoon) || request.paise > this.left(now)) return 'second_operator';
    const isCurrent = (month: string) => this.statuses(request.creator)[month] !== undefined;
    if (wasCancelled && [request.month, ...request.carried].some(isCurrent)) return 'withdrawal_decided';
    request.cancelledAt = undefined;
    const attempt: Attempt = {
      id: `by hand: ${reference}`,
      request,
      batch: undefined,
      to: this.payee(request.creator).destination,
      state: 'with_payer',
      reference,
      steps: [],
      paidAt: now,
    };
    this.attempts.push(attempt);
    this.pay(attempt, reference);
    return undefined;
  }

  private pay(attempt: Attempt, reference: string): void {
    attempt.state = 'paid';
    attempt.reference = reference;
    attempt.steps.push('paid');
    attempt.request.state = 'completed';
    attempt.request.reference = reference;
  }

  isUsed(reference: string): boolean {
    return this.attempts.some((one) => one.reference === reference);
  }

  /** A payer's report about an attempt, in any order; returns whether it changes anything. `by`: the operator who records it. */
  note(attempt: Attempt, said: PayerReport, by?: { operator: string; now: number }): boolean {
    const { request } = attempt;
    if (said.state === 'paid') {
      if (attempt.state !== 'with_payer') return false;
      this.pay(attempt, said.reference);
      return true;
    }
    const unpaid = by && attempt.batch?.payer === 'file' ? { unpaid: { by: by.operator, at: by.now } } : {};
    if (attempt.state === 'with_payer') {
      Object.assign(attempt, unpaid);
      attempt.state = 'failed';
      attempt.steps.push('failed');
      return true;
    }
    if (attempt.state !== 'paid' || said.state !== 'returned') return false;
    Object.assign(attempt, unpaid);
    attempt.state = 'returned';
    attempt.steps.push('returned');
    request.state = 'pending';
    request.reference = null;
    return true;
  }

  /** The status that `withdraw-status` returns to apps. */
  statuses(creator: string): Record<string, string> {
    const standing = this.requests.filter((one) => one.creator === creator && one.state !== 'rejected');
    return Object.fromEntries(
      standing.flatMap(({ month, carried, state }) => [month, ...carried].map((one) => [one, state])),
    );
  }

  /** The finer state of a request, and its steps. */
  shown(
    request: PayoutRequest,
    now: number,
    payer: string,
  ): { status: string; payout: string; steps: string[] } {
    const steps = this.attemptsOf(request)
      .filter(({ state }) => state !== 'cancelled')
      .flatMap((one) => one.steps);
    return { status: request.state, payout: this.finer(request, now, payer), steps };
  }

  private finer(request: PayoutRequest, now: number, payer: string): string {
    if (request.state === 'completed') return 'paid';
    if (request.state === 'rejected') return request.cancelledAt === undefined ? 'rejected' : 'cancelled';
    const last = this.attemptsOf(request).findLast(({ state }) => state !== 'cancelled');
    if (last?.state === 'with_payer') return 'sent';
    if (last?.state === 'prepared' && last.steps.includes('approved')) return 'approved';
    const waiting = this.waiting(request.creator, now, payer);
    if (waiting) return waiting;
    return last?.state === 'failed' || last?.state === 'returned' ? last.state : 'in_review';
  }
}
