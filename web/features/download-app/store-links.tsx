import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { useSite } from '../chrome/use-site.ts';

/** Links to both stores, from the site's configuration. */
export function StoreLinks() {
  const text = useText();
  const { stores } = useSite();
  return (
    <>
      <a href={stores.android} target="_blank" rel="noreferrer" className={buttonLook('primary', 'min-h-12')}>
        {text('app.android')}
      </a>
      <a href={stores.ios} target="_blank" rel="noreferrer" className={buttonLook('secondary', 'min-h-12')}>
        {text('app.ios')}
      </a>
    </>
  );
}
