import { useState } from 'react';
import { type Action, type Controls, controls } from './controls.ts';

const useNothing = (..._: unknown[]) => undefined;

/** What the signed-in person has done with a work or a person on a site without an app. */
export const useOwn: Controls['useOwn'] = (kind, id) => (controls.useOwn ?? useNothing)(kind, id);

/** What a press of Like, Comment, Share or Views does: with an app, the popup opens (specification §1). */
export function useInteractions() {
  const [opened, open] = useState<Action>();
  const press = (controls.usePress ?? useNothing)(open) ?? ((_work, action) => open(action));
  return { opened, press, close: () => open(undefined) };
}
