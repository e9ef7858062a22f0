import { Search, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';

/** Milliseconds from the last keystroke to the request. */
const debounce = 250;

interface SearchBoxProps {
  q: string;
  /** The page whose query it is. */
  path: '/AllUsers' | '/search';
  /** The kind of results that the page shows alone. */
  kind?: string | null;
  label: string;
  hint: string;
}

/** The search box of a page. The query is in the address; without a script it is a plain form. */
export function SearchBox({ q, path, kind = null, label, hint }: SearchBoxProps) {
  const text = useText();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q);
  const [known, setKnown] = useState(q);
  const [requested, setRequested] = useState(q);
  if (known !== q) {
    setKnown(q);
    // The address has changed by Back or a link, so it wins. If it is the requested query, more may have been typed
    // since.
    if (requested !== q) {
      setRequested(q);
      setTyped(q);
    }
  }

  // Text typed before hydration is the query. The same text is not set again: React would keep that for the
  // next change, and so overwrite a query that a link brings.
  useLayoutEffect(() => {
    const { value, defaultValue } = input.current ?? {};
    if (value !== undefined && value !== defaultValue) setTyped(value);
  }, []);

  // While the person is leaving the list, the search does not navigate back to it.
  const { location: going } = useNavigation();
  const isLeaving = going !== undefined && going.pathname.toLowerCase() !== path.toLowerCase();

  useEffect(() => {
    const query = typed.trim();
    if (query === q || isLeaving) return;
    const timer = setTimeout(() => {
      setRequested(query);
      const asked = new URLSearchParams({ q: query, ...(kind ? { kind } : {}) });
      void navigate(query ? `${path}?${asked}` : path, {
        replace: true,
        preventScrollReset: true,
      });
    }, debounce);
    return () => clearTimeout(timer);
  }, [typed, q, path, kind, isLeaving, navigate]);

  return (
    <search>
      <form action={path} onSubmit={(event) => event.preventDefault()} className="relative max-w-xl">
        <label htmlFor="people-search" className="sr-only">
          {label}
        </label>
        <Search
          aria-hidden
          className="pointer-events-none absolute left-4 top-1/2 size-5 -translate-y-1/2 text-soft"
        />
        <input
          ref={input}
          id="people-search"
          type="search"
          name="q"
          maxLength={80}
          autoComplete="off"
          spellCheck={false}
          placeholder={hint}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-13 w-full rounded-control border border-line-strong bg-surface pl-12 pr-13 placeholder:text-soft hover:border-text"
        />
        {kind && <input type="hidden" name="kind" value={kind} />}
        {typed && (
          <IconButton
            label={text('people.clearSearch')}
            className="absolute right-1 top-1/2 -translate-y-1/2"
            onClick={() => {
              setTyped('');
              input.current?.focus();
            }}
          >
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </form>
    </search>
  );
}
