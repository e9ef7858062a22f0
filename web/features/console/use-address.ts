import { useLocation, useNavigate } from 'react-router';

type Change = Record<string, string | undefined>;

/** What the console shows, in its address: the part, the filters of its list, and the open case. */
export function useAddress() {
  const search = new URLSearchParams(useLocation().search);
  const navigate = useNavigate();
  const withChange = (change: Change): string => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(change)) {
      if (value) next.set(name, value);
      else next.delete(name);
    }
    return `?${next}`;
  };
  return {
    part: search.get('part') ?? '',
    open: search.get('case') ?? undefined,
    valueIn: (name: string) => search.get(name) ?? '',
    /** The address with these parameters changed; an empty one is left out. */
    withChange,
    go: (change: Change, options: { replace?: boolean } = {}) =>
      void navigate(withChange(change), { preventScrollReset: true, ...options }),
  };
}
