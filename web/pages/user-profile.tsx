import { useLocation } from 'react-router';
import { headOf } from '../features/chrome/head.ts';
import { ListError } from '../features/lists/list-error.tsx';
import { ownKinds } from '../features/profile/own.ts';
import { OwnHeader } from '../features/profile/own-header.tsx';
import { OwnList, OwnListLoading } from '../features/profile/own-list.tsx';
import { useSelf } from '../features/profile/use-self.ts';
import type { SessionUser } from '../features/session/session.ts';
import { SignedInOnly } from '../features/session/signed-in-only.tsx';
import { WayBackLink } from '../features/session/way-back.tsx';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { useText } from '../text.tsx';
import { Tabs } from '../ui/tabs.tsx';
import type { Route } from './+types/user-profile';

await Promise.all([loadPart('profile'), loadPart('user')]);

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('profile.pageTitle'),
    description: i18n._('profile.logIn'),
    site,
    path: '/UserProfile',
    personal: true,
  });
}

const tabOf = (search: string) =>
  ownKinds.find((kind) => kind === new URLSearchParams(search).get('tab')) ?? 'reels';

/** The own profile (specification §2). */
export default function UserProfile() {
  const text = useText();
  return (
    <div className="wrap-page min-h-svh max-w-grid pb-6">
      <SignedInOnly title={text('profile.title')} why={text('profile.logIn')} shape="profile">
        {(user) => <OwnProfile user={user} />}
      </SignedInOnly>
    </div>
  );
}

function OwnProfile({ user }: { user: SessionUser }) {
  const text = useText();
  const self = useSelf(user);
  const tab = tabOf(useLocation().search);
  return (
    <>
      <WayBackLink />
      <OwnHeader user={user} />
      <Tabs
        label={text('profile.tabs')}
        selected={tab}
        panelId="own"
        tabs={ownKinds.map((id) => ({
          id,
          label: text(`profile.${id}`),
          to: id === 'reels' ? '/UserProfile' : `/UserProfile?tab=${id}`,
        }))}
      />
      <div id="own" role="tabpanel" aria-label={text(`profile.${tab}`)} className="pt-4">
        {user._id && <OwnList key={tab} userId={user._id} kind={tab} />}
        {/* After a login without a user in the response only the e-mail address is known, until the person is loaded. */}
        {!user._id &&
          (self.isError ? (
            <ListError title={text('profile.listFailed')} list={self} />
          ) : (
            <OwnListLoading kind={tab} />
          ))}
      </div>
    </>
  );
}
