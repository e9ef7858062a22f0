import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';

/** The search of every page but that of the results (base.css). Without a script it is a plain form. */
export function HeaderSearch() {
  const text = useText();
  const navigate = useNavigate();
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const q = String(new FormData(form).get('q')).trim();
    // The page of the results has a search box of its own, which shows the query.
    form.reset();
    void navigate(q ? `/search?q=${encodeURIComponent(q)}` : '/search');
  }
  return (
    <search aria-label={text('nav.search')} className="min-w-0 max-w-sm flex-1">
      <form action="/search" onSubmit={search} className="relative">
        <input
          type="search"
          name="q"
          aria-label={text('nav.searchSite')}
          placeholder={text('nav.searchSite')}
          maxLength={80}
          autoComplete="off"
          spellCheck={false}
          className="h-11 w-full rounded-control border border-line-strong bg-surface pl-4 pr-11 placeholder:text-soft hover:border-text"
        />
        <IconButton type="submit" label={text('nav.search')} className="absolute right-0 top-0">
          <Search aria-hidden className="size-5" />
        </IconButton>
      </form>
    </search>
  );
}
