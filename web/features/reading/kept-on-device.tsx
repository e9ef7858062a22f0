import type { MessageId } from '../../messages/catalogues.ts';
import { useText } from '../../text.tsx';

/** Everything a browser keeps for the site; a name that ends in `…` is how several begin. */
const kept: { names: string[]; what: MessageId }[] = [
  { names: ['user', 'authToken'], what: 'privacy.device.session' },
  { names: ['theme'], what: 'privacy.device.theme' },
  { names: ['sound'], what: 'privacy.device.sound' },
  { names: ['jhalak.kept.…'], what: 'privacy.device.kept' },
  { names: ['jhalak.draft.…'], what: 'privacy.device.draft' },
  { names: ['react-router-scroll-positions'], what: 'privacy.device.scroll' },
  { names: ['lang'], what: 'privacy.device.lang' },
  { names: ['jhalak-files-…', 'jhalak-offline-…'], what: 'privacy.device.files' },
];

/** The names under which a browser keeps things for the site, and what each holds. */
export function KeptOnDevice() {
  const text = useText();
  return (
    <table className="w-full overflow-hidden rounded-panel bg-surface text-left">
      <thead className="sr-only">
        <tr>
          <th scope="col">{text('privacy.device.name')}</th>
          <th scope="col">{text('privacy.device.what')}</th>
        </tr>
      </thead>
      <tbody>
        {kept.map(({ names, what }) => (
          <tr key={what} className="grid border-b border-line px-4 py-3 last:border-0 sm:table-row">
            <th scope="row" className="font-normal sm:px-4 sm:py-3 sm:align-top">
              {names.map((name) => (
                <code key={name} className="block break-all font-semibold">
                  {name}
                </code>
              ))}
            </th>
            <td className="text-soft sm:py-3 sm:pr-4">{text(what)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
