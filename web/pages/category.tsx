import { useQuery } from '@tanstack/react-query';
import { isApiError } from '#contract/api-error.ts';
import { categoryGroups, getCategoryCounts } from '#contract/categories.ts';
import { call } from '../api.ts';
import { CategoryCard } from '../features/categories/category-card.tsx';
import { CategoriesLoading } from '../features/categories/loading.tsx';
import { useCategoryName } from '../features/categories/use-category-name.ts';
import { headOf } from '../features/chrome/head.ts';
import { i18nOf, loadPart } from '../messages/catalogues.ts';
import { pageCall } from '../page-call.ts';
import { useText } from '../text.tsx';
import { Button } from '../ui/button.tsx';
import { ErrorState } from '../ui/quiet-state.tsx';
import type { Route } from './+types/category';

await loadPart('category');

export async function loader({ context }: Route.LoaderArgs) {
  return { first: (await pageCall(context)(getCategoryCounts)).data };
}

/** In the browser the page opens at once, with cached counts or placeholders. */
export const clientLoader = () => ({ first: null });

export function meta({ matches }: Route.MetaArgs) {
  const site = matches[0].loaderData;
  const i18n = i18nOf(site.lang);
  return headOf({
    title: i18n._('category.pageTitle'),
    description: i18n._('category.lead'),
    site,
    path: '/Category',
  });
}

/** The 42 categories under their five headings. Their reels are shown in the app (specification §1, §2). */
export default function Category({ loaderData: { first } }: Route.ComponentProps) {
  const text = useText();
  const nameOf = useCategoryName();
  const counts = useQuery({
    queryKey: ['categories'],
    queryFn: async ({ signal }) => (await call(getCategoryCounts, {}, { signal })).data,
    ...(first ? { initialData: first } : {}),
    staleTime: 10_000,
    refetchInterval: 30_000,
  });

  return (
    <div className="wrap-page max-w-grid py-6 sm:py-8">
      <h1 className="text-3xl sm:text-4xl">{text('category.title')}</h1>
      <p className="mt-2 max-w-[60ch] text-soft sm:text-lg">{text('category.lead')}</p>
      {counts.isPending && <CategoriesLoading />}
      {!counts.data && counts.isError && (
        <ErrorState
          title={text('category.error')}
          text={isApiError(counts.error) ? counts.error.sentence : text('wrong.text')}
          action={<Button onClick={() => void counts.refetch()}>{text('list.retry')}</Button>}
        />
      )}
      {counts.data &&
        categoryGroups.map((group) => (
          <section key={group} aria-labelledby={`group-${group}`} className="mt-8">
            <h2 id={`group-${group}`} className="mb-3 text-2xl">
              {text(`category.group.${group}`)}
            </h2>
            <ul className="grid grid-cols-2 gap-2.5 min-[30rem]:grid-cols-3 sm:gap-3 lg:grid-cols-4">
              {counts.data
                .filter((one) => one.group === group)
                // Those with reels come first.
                .toSorted((one, other) => Number(one.count === 0) - Number(other.count === 0))
                .map((one) => (
                  <li key={one.id}>
                    <CategoryCard name={nameOf(one)} image={one.image} count={one.count} />
                  </li>
                ))}
            </ul>
          </section>
        ))}
    </div>
  );
}
