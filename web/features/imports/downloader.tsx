import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link, useLocation } from 'react-router';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { useSite } from '../chrome/use-site.ts';
import type { WayBack } from '../session/way-back.tsx';
import { LeaveWarning } from '../upload/form/leave-warning.tsx';
import { FetchedVideo } from './fetched-video.tsx';
import { LinkForm, useLink } from './link-form.tsx';
import { LinksClosed } from './links-closed.tsx';
import type { Fetched } from './use-fetch-link.ts';

/** Import a link, watch the video, save the file (decisions §3). */
export function Downloader() {
  const text = useText();
  const { linkImport, linksWithoutLogin } = useSite();
  const { pathname, search } = useLocation();
  const wayBack: WayBack = { from: pathname + search };
  const { form } = useLink();
  const [fetched, setFetched] = useState<Fetched>();
  const [fetching, setFetching] = useState(false);
  if (!linkImport) return <LinksClosed />;
  return (
    <div className="grid gap-8">
      <LeaveWarning active={fetching} />
      <LinkForm form={form} fetched={fetched !== undefined} onFetched={setFetched} onBusy={setFetching} />
      {fetched && (
        <section
          aria-label={text('link.preview')}
          className="grid gap-6 md:grid-cols-[minmax(0,18rem)_minmax(0,1fr)]"
        >
          <FetchedVideo fetched={fetched} />
          <div className="grid content-start justify-items-start gap-4">
            <h2 dir="auto" className="text-xl">
              {fetched.title || text('downloader.untitled')}
            </h2>
            <a
              href={fetched.sourceUrl}
              target="_blank"
              rel="noopener nofollow"
              className="text-soft underline underline-offset-4"
            >
              {fetched.sourceUrl}
            </a>
            <a href={`${fetched.fileUrl}?save`} download className={buttonLook('primary', 'min-h-12')}>
              <Download aria-hidden className="size-5" />
              {text('downloader.save')}
            </a>
            <p className="text-[0.9375rem] text-soft">
              {text(fetched.fileName ? 'downloader.keep' : 'downloader.keepHour')}
            </p>
          </div>
        </section>
      )}
      {/* Hidden from signed-in people before the first paint, so that nothing below moves. */}
      <section
        aria-labelledby="downloader-allowed"
        className="grid max-w-column justify-items-start gap-3 signed-in:hidden"
      >
        <h2 id="downloader-allowed" className="text-xl">
          {text('downloader.allowed')}
        </h2>
        <ul className="grid list-disc gap-1 ps-5">
          <li>{text('downloader.allowedWhat')}</li>
          <li>{text('downloader.allowedHowMany', { count: linksWithoutLogin })}</li>
          <li>{text('downloader.allowedHour')}</li>
          <li>{text('downloader.allowedPublish')}</li>
        </ul>
        <Link to="/LoginGoogle" state={wayBack} className={buttonLook('secondary')}>
          {text('account.login')}
        </Link>
      </section>
      <Link to="/ReelPostByLink" className="w-fit font-semibold underline underline-offset-4">
        {text('downloader.publish')}
      </Link>
    </div>
  );
}
