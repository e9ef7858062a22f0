import { Link } from 'react-router';
import {
  listUnfinished,
  retryReel,
  showUnfinished,
  type UnfinishedCase,
  type UnfinishedReel,
  unfinishedStates,
} from '#contract/media.ts';
import { reasonAtMost } from '#contract/operators.ts';
import { call } from '#web/api.ts';
import { whyFailed } from '#web/messages/reasons.ts';
import { useText } from '#web/text.tsx';
import { TimeAgo } from '#web/time-ago.tsx';
import { type CaseAct, CaseFrame } from './case-frame.tsx';
import { Facts } from './facts.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';

/** Reels that are not ready: those that failed, and the queue. */
export const media: Part<UnfinishedReel, UnfinishedCase> = {
  id: 'media',
  title: 'console.part.media',
  empty: 'console.mediaNone',
  filters: [
    {
      name: 'state',
      label: 'console.filter.state',
      options: unfinishedStates.map((value) => ({ value, label: `console.media.${value}` as const })),
    },
  ],
  async fetchPage({ state }, cursor, signal) {
    const known = unfinishedStates.find((one) => one === state);
    const query = { ...(known ? { state: known } : {}), ...(cursor ? { cursor } : {}) };
    const { data: items, nextCursor } = await call(listUnfinished, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showUnfinished, { params: { id } }, { signal })).data,
  Case,
};

/** Why a reel failed, or how far it is. */
function useWords({ state, progress, failure, failureReason }: UnfinishedReel): string {
  const text = useText();
  if (state === 'failed')
    return (
      whyFailed({ failure, ...(failureReason ? { failureReason } : {}) }) ?? text('console.media.failed')
    );
  return progress === null ? text('console.media.processing') : text('console.media.progress', { progress });
}

function Row({ item }: { item: UnfinishedReel }) {
  const text = useText();
  return (
    <>
      <RowHead at={item.uploadedAt}>@{item.username}</RowHead>
      <span dir="auto" className="truncate">
        {item.caption || text('console.noWords')}
      </span>
      <span className="text-[0.9375rem] text-soft">{useWords(item)}</span>
    </>
  );
}

function Case({ data, onActed }: CaseProps<UnfinishedCase>) {
  const text = useText();
  const retry: CaseAct = {
    id: 'retry',
    label: 'console.act.retry',
    key: 'r',
    kind: 'primary',
    decides: true,
    form: {
      title: 'console.act.retry',
      says: 'console.act.retry.says',
      reason: { label: 'console.reasonForLog', most: reasonAtMost },
      run: ({ reason }) => call(retryReel, { params: { id: data._id }, body: { reason } }),
    },
  };
  return (
    <CaseFrame
      title={text('console.caseOf', { kind: text('console.kind.reel'), username: data.username })}
      aside={<TimeAgo at={data.uploadedAt} className="text-soft" />}
      acts={data.canRetry ? [retry] : []}
      history={data.history}
      onActed={onActed}
    >
      <Said data={data} />
    </CaseFrame>
  );
}

function Said({ data }: { data: UnfinishedReel }) {
  const text = useText();
  return (
    <>
      <Facts
        facts={[
          [text('console.filter.state'), useWords(data)],
          [text('console.fact.caption'), data.caption],
          [text('console.fact.uploaded'), text('moment', { at: new Date(data.uploadedAt) })],
          [
            text('console.fact.creator'),
            <Link key="creator" to={`?part=people&case=${data.userId}`} className="text-link">
              @{data.username}
            </Link>,
          ],
        ]}
      />
      {data.state === 'failed' && !data.canRetry && (
        <p className="text-soft">{text('console.media.fileGone')}</p>
      )}
    </>
  );
}
