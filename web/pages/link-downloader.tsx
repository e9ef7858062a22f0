import { headOf } from '../features/chrome/head.ts';
import { useSite } from '../features/chrome/use-site.ts';
import { Downloader } from '../features/imports/downloader.tsx';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';
import type { Route } from './+types/link-downloader';

await Promise.all([loadPart('link'), loadPart('upload')]);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('downloader.pageTitle'),
    description: i18n._('downloader.lead'),
    site,
    path: '/LinkDownloader',
    personal: true,
  });
}

export default function LinkDownloader() {
  const text = useText();
  const { linksWithoutLogin } = useSite();
  const downloader = (
    <>
      <h1 className="text-3xl">{text('downloader.title')}</h1>
      <p className="mb-6 mt-1 text-soft">{text('downloader.lead')}</p>
      <NeedsScript>{text('downloader.needsScript')}</NeedsScript>
      <Downloader />
    </>
  );
  return (
    <div className="wrap-page min-h-svh max-w-form py-6">
      {linksWithoutLogin > 0 ? (
        downloader
      ) : (
        <SignedInOnly title={text('downloader.title')} why={text('downloader.logIn')} shape="form">
          {() => downloader}
        </SignedInOnly>
      )}
    </div>
  );
}
