import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { chooseTab } from './choose-tab.ts';
import { chosenTab, feedTabs, tabLabels } from './tabs.ts';

/** The tab with which Home opens on this device. */
export function HomeTabChoice() {
  const text = useText();
  const [chosen, setChosen] = useState(chosenTab);
  return (
    <fieldset className="border-t border-line pt-4">
      <legend className="float-left mb-2 w-full text-lg font-bold">{text('taste.homeTab')}</legend>
      <div className="clear-both flex flex-wrap gap-x-6">
        {feedTabs.map((tab) => (
          <label key={tab} className="flex min-h-11 cursor-pointer items-center gap-3">
            <input
              type="radio"
              name="home-tab"
              checked={tab === chosen}
              onChange={() => {
                chooseTab(tab);
                setChosen(tab);
              }}
              className="size-6 shrink-0 cursor-pointer accent-accent"
            />
            {text(tabLabels[tab])}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
