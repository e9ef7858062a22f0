import { useState } from 'react';
import type { Category } from '#contract/categories.ts';
import { useText } from '#web/text.tsx';
import { useCategoryName } from '../categories/use-category-name.ts';
import { fetchedPart } from '../offline/fetched-part.tsx';
import { chipLook } from './items.tsx';

const DownloadAppDialog = fetchedPart(() => import('../download-app/download-app-dialog.tsx'));

/** Categories open the popup, as on their page (specification §1). */
export function Categories({ categories }: { categories: Category[] }) {
  const text = useText();
  const nameOf = useCategoryName();
  const [opened, setOpened] = useState<string>();
  return (
    <>
      <ul className="flex flex-wrap gap-2">
        {categories.map((category) => (
          <li key={category.id}>
            <button type="button" className={chipLook} onClick={() => setOpened(nameOf(category))}>
              <img src={category.image} alt="" width={32} height={32} className="rounded-control" />
              {nameOf(category)}
            </button>
          </li>
        ))}
      </ul>
      {opened && (
        <DownloadAppDialog
          why={text('category.inApp', { name: opened })}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}
