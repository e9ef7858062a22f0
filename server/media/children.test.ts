import { expect, it, onTestFinished, vi } from 'vitest';
import { endSpareChildren, returnChild, takeChild } from './children.ts';

it('a child that has been idle for 30 seconds is not taken for a task while it ends', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => {
    vi.useRealTimers();
    endSpareChildren();
  });
  endSpareChildren();
  const idle = takeChild();
  returnChild(idle);
  vi.advanceTimersByTime(29_999);
  expect(takeChild()).toBe(idle);
  returnChild(idle);
  vi.advanceTimersByTime(30_000);
  expect(idle.killed).toBe(true);
  const next = takeChild();
  expect(next).not.toBe(idle);
  returnChild(next);
});
