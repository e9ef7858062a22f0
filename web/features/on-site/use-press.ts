import { useNavigate } from 'react-router';
import type { Controls } from '../interactions/controls.ts';
import { act } from './responses.ts';

/** A like is sent at once, a comment goes to the field that is on the screen, and only what has no place there opens. */
export const usePress: Controls['usePress'] = (open) => {
  const navigate = useNavigate();
  return (work, action, tapped) => {
    if (act(action, { work, tapped, navigate })) open(action);
  };
};
