import type { ReactNode } from 'react';
import { payerFields } from '#contract/payout-file.ts';
import { browserStorage } from '#web/browser-storage.ts';
import { useText } from '#web/text.tsx';
import { useSite } from '../chrome/use-site.ts';
import { Retention } from './retention.tsx';

/** The section "What this server stores". It is generated from the settings and the code, so that it stays true. */
export function StoredData({ asOf }: { asOf: string }) {
  const text = useText();
  const { measurementId } = useSite();
  return (
    <section id="stored" aria-labelledby="stored-title" className="scroll-mt-24 border-t border-line pt-8">
      <h2 id="stored-title" className="text-2xl">
        {text('privacy.stored.title')}
      </h2>
      <p className="mt-1 text-soft">{text('privacy.stored.asOf', { date: new Date(asOf) })}</p>
      <Part title={text('privacy.stored.device')}>
        <BrowserStorage />
      </Part>
      <Part title={text('privacy.stored.retention')}>
        <Retention />
      </Part>
      <Part title={text('privacy.stored.payer')}>
        <p>{text('privacy.stored.payerLead')}</p>
        <ul className="mt-2 grid list-disc gap-1 pl-5">
          {payerFields.map((field) => (
            <li key={field}>{text(`privacy.payer.${field}`)}</li>
          ))}
        </ul>
      </Part>
      <Part title={text('privacy.stored.measuring')}>
        <p>{text(measurementId ? 'privacy.stored.visitsOn' : 'privacy.stored.visitsOff')}</p>
        <p className="mt-2">{text('privacy.stored.playing')}</p>
      </Part>
    </section>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3 className="mb-2 mt-6 text-xl">{title}</h3>
      {children}
    </>
  );
}

/** A table of what the site stores in the browser: names, contents, and when each entry is removed. */
function BrowserStorage() {
  const text = useText();
  return (
    <table className="w-full overflow-hidden rounded-panel bg-surface text-left">
      <thead className="sr-only">
        <tr>
          <th scope="col">{text('privacy.device.name')}</th>
          <th scope="col">{text('privacy.device.what')}</th>
          <th scope="col">{text('privacy.device.until')}</th>
        </tr>
      </thead>
      <tbody>
        {browserStorage.map(({ names, label, removedWhen }) => (
          <tr key={label} className="grid border-b border-line px-4 py-3 last:border-0 sm:table-row">
            <th scope="row" className="font-normal sm:px-4 sm:py-3 sm:align-top">
              {names.map((name) => (
                <code key={name} className="block font-semibold">
                  {name}
                </code>
              ))}
            </th>
            <td className="text-soft sm:py-3 sm:pr-4 sm:align-top">{text(label)}</td>
            <td className="text-soft sm:py-3 sm:pr-4 sm:align-top">{text(removedWhen)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
