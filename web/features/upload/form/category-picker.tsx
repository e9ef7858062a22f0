import { Check } from 'lucide-react';
import { useState } from 'react';
import { categories } from '#contract/categories.ts';
import { limits } from '#contract/limits.ts';
import { useCategoryName } from '#web/features/categories/use-category-name.ts';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { TextField } from '#web/ui/field.tsx';

/** Lets a person choose up to three categories. A fourth is ignored; a second click removes a chosen one (specification §5). */
export function CategoryPicker({
  chosen,
  offered,
  error,
  onChange,
}: {
  chosen: string[];
  /** The category ids to choose from, without a search field; all categories if undefined. */
  offered?: readonly string[];
  error?: string | undefined;
  onChange: (ids: string[]) => void;
}) {
  const text = useText();
  const nameOf = useCategoryName();
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLocaleLowerCase();
  const found = categories
    .filter(({ id }) => !offered || offered.includes(id))
    .map(({ id, name }) => ({ id, name: nameOf({ id }), english: name }))
    .filter(({ name, english }) => `${name} ${english}`.toLocaleLowerCase().includes(wanted));
  const full = chosen.length >= limits.categoriesPerReel;

  const toggle = (id: string) => {
    if (chosen.includes(id)) onChange(chosen.filter((one) => one !== id));
    else if (!full) onChange([...chosen, id]);
  };
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-1.5 flex w-full items-baseline justify-between font-semibold">
        {text('upload.categories')}
        <span aria-live="polite" className="figures text-[0.9375rem] font-normal text-soft">
          {text('upload.chosen', { chosen: chosen.length, most: limits.categoriesPerReel })}
        </span>
      </legend>
      {!offered && (
        <TextField
          label={text('upload.searchCategories')}
          type="search"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <ul className="flex max-h-56 flex-wrap content-start gap-2 overflow-y-auto p-0.5">
        {found.map(({ id, name }) => {
          const isChosen = chosen.includes(id);
          return (
            <li key={id}>
              <button
                type="button"
                aria-pressed={isChosen}
                aria-disabled={(full && !isChosen) || undefined}
                onClick={() => toggle(id)}
                className={classNames(
                  'inline-flex min-h-11 items-center gap-1.5 rounded-full border px-4 pt-0.5 font-medium',
                  isChosen
                    ? 'border-accent bg-accent text-on-accent'
                    : 'border-line-strong bg-surface hover:border-text aria-disabled:opacity-50',
                )}
              >
                {isChosen && <Check aria-hidden className="size-4" />}
                {name}
              </button>
            </li>
          );
        })}
        {found.length === 0 && <li className="text-soft">{text('upload.noCategory')}</li>}
      </ul>
      {error && (
        <p role="alert" className="text-[0.9375rem] font-medium leading-snug text-alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}
