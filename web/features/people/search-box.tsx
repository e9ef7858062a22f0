import { Search, X } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { useText } from '#web/text.tsx';
import { IconButton } from '#web/ui/button.tsx';

/** Milliseconds of rest after a letter before the server is asked. */
const rest = 250;

/** The search of the user list. What is looked for stands in the address; before any script it is a plain form. */
export function SearchBox({ q }: { q: string }) {
  const text = useText();
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(q);
  const [known, setKnown] = useState(q);
  const [asked, setAsked] = useState(q);
  if (known !== q) {
    setKnown(q);
    // The address changed by other means (Back, a link): it is right. Where it is what was asked for, more may have been
    // typed since.
    if (asked !== q) {
      setAsked(q);
      setTyped(q);
    }
  }

  // Typed before this script took over: it is what is looked for.
  useLayoutEffect(() => {
    if (input.current) setTyped(input.current.value);
  }, []);

  // Who has already pressed somebody's name is not called back to the list.
  const { location: going } = useNavigation();
  const isLeaving = going !== undefined && going.pathname.toLowerCase() !== '/allusers';

  useEffect(() => {
    const wanted = typed.trim();
    if (wanted === q || isLeaving) return;
    const timer = setTimeout(() => {
      setAsked(wanted);
      void navigate(wanted ? `/AllUsers?q=${encodeURIComponent(wanted)}` : '/AllUsers', {
        replace: true,
        preventScrollReset: true,
      });
    }, rest);
    return () => clearTimeout(timer);
  }, [typed, q, isLeaving, navigate]);

  return (
    <search>
      <form action="/AllUsers" onSubmit={(event) => event.preventDefault()} className="relative max-w-xl">
        <label htmlFor="people-search" className="sr-only">
          {text('people.search')}
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
          placeholder={text('people.searchHint')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-13 w-full rounded-control border border-line-strong bg-surface pl-12 pr-13 placeholder:text-soft hover:border-text"
        />
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
