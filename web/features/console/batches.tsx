import { useState } from 'react';
import { Link } from 'react-router';
import { type Batch, type BatchCase, listBatches, showBatch } from '#contract/batches.ts';
import { call } from '#web/api.ts';
import { useText } from '#web/text.tsx';
import { Button } from '#web/ui/button.tsx';
import { useConfirmedCall } from '../confirmation/use-confirmed-call.tsx';
import { ActDialog, type ActForm } from './act-dialog.tsx';
import { actsOnBatch, recordsOf } from './acts-on-batch.ts';
import { CaseFrame } from './case-frame.tsx';
import { Chips, Facts, Section } from './facts.tsx';
import { type CaseProps, type Part, RowHead } from './list-part.tsx';
import { MakeBatch } from './make-batch.tsx';

/** Batches of payments. */
export const batches: Part<Batch, BatchCase> = {
  id: 'batches',
  title: 'console.part.batches',
  empty: 'console.batchesNone',
  Above: MakeBatch,
  filters: [],
  async fetchPage(_, cursor, signal) {
    const query = cursor ? { cursor } : {};
    const { data: items, nextCursor } = await call(listBatches, { query }, { signal });
    return { items, nextCursor };
  },
  Row,
  fetchCase: async (id, signal) => (await call(showBatch, { params: { id } }, { signal })).data,
  Case,
};

function Row({ item }: { item: Batch }) {
  const text = useText();
  return (
    <>
      <RowHead at={item.madeAt}>{text('money', { rupees: item.paise / 100 })}</RowHead>
      <span className="text-[0.9375rem] text-soft">{text(`console.batch.${item.state}`)}</span>
    </>
  );
}

function Case({ data, onActed }: CaseProps<BatchCase>) {
  const text = useText();
  const { confirmed, dialog } = useConfirmedCall({ byFactor: true });
  const [asked, setAsked] = useState<ActForm>();
  const close = () => {
    setAsked(undefined);
    onActed(false);
  };
  return (
    <>
      <CaseFrame
        title={text('money', { rupees: data.paise / 100 })}
        aside={<span className="font-semibold">{text(`console.batch.${data.state}`)}</span>}
        acts={actsOnBatch(data, confirmed)}
        history={data.history}
        onActed={onActed}
      >
        <Facts
          facts={[
            [text('console.fact.payer'), data.payer],
            [text('console.fact.made'), text('moment', { at: new Date(data.madeAt) })],
            [text('console.fact.ended'), data.endedAt && text('moment', { at: new Date(data.endedAt) })],
          ]}
        />
        <Section title={text('console.payments')} isEmpty={data.payments.length === 0}>
          <ol className="grid gap-3">
            {data.payments.map((payment) => (
              <li key={payment._id} className="grid gap-1.5 border-l-2 border-line pl-3">
                <Payment payment={payment} />
                <span className="flex flex-wrap gap-2">
                  {recordsOf(payment, confirmed).map(({ label, form }) => (
                    <Button key={label} onClick={() => setAsked(form)}>
                      {text(label)}
                    </Button>
                  ))}
                </span>
              </li>
            ))}
          </ol>
        </Section>
      </CaseFrame>
      {asked && <ActDialog act={asked} onDone={close} onClose={close} />}
      {dialog}
    </>
  );
}

function Payment({ payment }: { payment: BatchCase['payments'][number] }) {
  const text = useText();
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-4">
        <Link to={`?part=withdrawals&case=${payment.withdrawalId}`} className="font-semibold text-link">
          {text('money', { rupees: payment.paise / 100 })}
        </Link>
        <span>{payment.to}</span>
        <span className="text-soft">{text(`console.payment.${payment.state}`)}</span>
      </span>
      <Chips words={payment.marks.map((mark) => text(`console.mark.${mark}`))} />
      {(payment.reference ?? payment.reason) && (
        <span dir="auto" className="break-words text-[0.9375rem] text-soft">
          {payment.reference ?? payment.reason}
        </span>
      )}
    </>
  );
}
