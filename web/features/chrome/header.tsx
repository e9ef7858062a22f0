import { ChevronDown, Menu as MenuIcon, Plus } from 'lucide-react';
import { Link, NavLink } from 'react-router';
import { useText } from '#web/text.tsx';
import { buttonLook } from '#web/ui/button.tsx';
import { Menu, menuItemLook } from '#web/ui/menu.tsx';
import { useSession } from '../session/use-session.ts';
import { AccountLinks } from './account-links.tsx';
import { CreateMenu } from './create-menu.tsx';
import { HeaderSearch } from './header-search.tsx';
import { LanguageSwitch } from './language-switch.tsx';
import { Logo } from './mark.tsx';
import { mainLinks, moreLinks, type SiteLink } from './site-links.ts';
import { ThemeToggle } from './theme-toggle.tsx';
import { useScrolledPast } from './use-scrolled-past.ts';

const linkLook =
  'flex min-h-11 items-center rounded-control px-3 pt-0.5 font-medium hover:bg-sunken aria-[current=page]:text-accent-text';

/**
 * The header of all pages (specification §2). Its height stays while the bar inside shrinks, and its columns have their widths before
 * their content is parsed, so nothing moves.
 */
export function Header() {
  const text = useText();
  const shrunk = useScrolledPast(80);
  const { token } = useSession();
  return (
    <header className="pointer-events-none sticky top-0 z-30 h-16">
      <div
        className={`pointer-events-auto border-b bg-ground/95 backdrop-blur-md plain:bg-ground plain:backdrop-blur-none transition-[height,border-color] duration-200 ${
          shrunk ? 'h-14 border-line' : 'h-16 border-transparent'
        }`}
      >
        <div className="wrap-page grid h-full grid-cols-[1fr_2.75rem_5.75rem_2.25rem] items-center gap-1 lg:grid-cols-[auto_auto_1fr_2.75rem_5.75rem]">
          <Link to="/" className="justify-self-start rounded-control lg:mr-4" aria-label={text('nav.home')}>
            <Logo />
          </Link>
          <nav aria-label={text('nav.main')} className="hidden items-center lg:flex">
            {mainLinks.map(({ to, label }) => (
              <NavLink key={to} to={to} prefetch="intent" className={linkLook}>
                {text(label)}
              </NavLink>
            ))}
            <Menu
              triggerClassName={linkLook}
              trigger={
                <>
                  {text('nav.more')}
                  <ChevronDown
                    aria-hidden
                    className="ml-1 size-4 transition-transform group-open:rotate-180"
                  />
                </>
              }
            >
              <Links links={moreLinks} />
            </Menu>
          </nav>
          <div className="hidden min-w-0 items-center justify-center gap-4 px-2 lg:flex">
            <HeaderSearch />
            {/* Its place is kept before the session is known, as that of the account's links. */}
            <div className="hidden w-11 shrink-0 signed-in:block xl:w-28">
              {token && (
                <CreateMenu
                  triggerClassName={buttonLook('primary', 'w-full px-0!')}
                  trigger={
                    <>
                      <Plus aria-hidden className="size-5" />
                      <span className="max-xl:sr-only">{text('create.label')}</span>
                    </>
                  }
                />
              )}
            </div>
          </div>
          {/* Without a script the button is not displayed, and its column stays. */}
          <div>
            <ThemeToggle />
          </div>
          <AccountLinks />
          <div className="-mr-2 lg:hidden">
            <Menu
              label={text('nav.menu')}
              triggerClassName="grid size-11 place-items-center rounded-full hover:bg-sunken"
              trigger={<MenuIcon aria-hidden className="size-6" />}
              panelClassName="max-h-[calc(100dvh-6rem-var(--foot))] w-64 overflow-y-auto"
            >
              <nav aria-label={text('nav.main')}>
                <Links links={mainLinks} />
                <hr className="mx-3 my-2 border-line" />
                <Links links={moreLinks} />
                <hr className="mx-3 my-2 border-line" />
                <LanguageSwitch />
              </nav>
            </Menu>
          </div>
        </div>
      </div>
    </header>
  );
}

function Links({ links }: { links: SiteLink[] }) {
  const text = useText();
  return links.map(({ to, label }) => (
    <NavLink key={to} to={to} prefetch="intent" className={menuItemLook}>
      {text(label)}
    </NavLink>
  ));
}
