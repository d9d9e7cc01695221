import { expect, test } from 'vitest';
import { Wakeups } from './wakeups.ts';

test('wakes all sleepers, once', async () => {
  const wakeups = new Wakeups();
  const { signal } = new AbortController();
  const sleepers = [wakeups.sleep(signal), wakeups.sleep(signal)];
  expect(wakeups.size).toBe(2);
  wakeups.wakeAll();
  await Promise.all(sleepers);
  expect(wakeups.size).toBe(0);
});

test('a signal ends the sleep of its own sleeper only, and leaves nothing behind', async () => {
  const wakeups = new Wakeups();
  const impatient = new AbortController();
  const first = wakeups.sleep(impatient.signal);
  const second = wakeups.sleep(new AbortController().signal);
  impatient.abort();
  await first;
  expect(wakeups.size).toBe(1);
  await wakeups.sleep(impatient.signal);
  expect(wakeups.size).toBe(1);
  wakeups.wakeAll();
  await second;
});
