import type { CopyForReview } from '#contract/copies.ts';
import type { OutgoingFile } from '#contract/endpoint.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { logAct, type Operator } from '../audit-log/audit-log.ts';
import * as copies from '../copies/decisions.ts';
import { isTakenDownOfChild, mustSeeTakenDown } from '../moderation/decisions.ts';
import { works } from '../moderation/works.ts';
import { mustSeeChildren } from '../people/child-safety.ts';
import { fileToShow } from '../stored-files/fetch-file.ts';

/** Decides whether a work is a copy, and logs it. */
export async function decideCopy(
  context: Context<'db' | 'clock' | 'config' | 'outbox'>,
  operator: Operator,
  id: string,
  { verdict, reason }: { verdict: 'copy' | 'own'; reason: string },
): Promise<CopyForReview> {
  const decision = { verdict, reason, operatorId: operator.id };
  return await copies.decideCopy(context, id, decision, {
    works,
    mustSee: (trx, original) => mustSeeTakenDown(trx, operator.id, original),
    async done(trx, { kind }, now) {
      const target = { kind, id };
      await logAct(trx, operator, { act: 'copy.decide', target, details: { verdict, reason } }, now);
    },
  });
}

/** The picture of a copy or of its original. Of what was taken down as showing a child each is a look in the log, by who may see that. */
export async function showCopyPicture(
  { db, clock, storage }: Context<'db' | 'clock' | 'storage'>,
  operator: Operator,
  asked: { id: string; work: string },
): Promise<OutgoingFile> {
  return await inTransaction(db, async (trx) => {
    const { file, works: both } = await copies.pictureOfCopy({ db: trx, clock }, asked);
    const [copy] = both;
    let isOfChild = false;
    for (const work of both) isOfChild ||= await isTakenDownOfChild(trx, work);
    if (isOfChild) await mustSeeChildren(trx, operator.id);
    const shown = await fileToShow(storage, file);
    if (isOfChild && copy)
      await logAct(
        trx,
        operator,
        { act: 'report.look', target: copy, details: { childCase: true } },
        clock(),
      );
    return shown;
  });
}
