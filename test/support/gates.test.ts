import { expect, test } from 'vitest';
import { Gates } from './gates.ts';

test('a gate blocks until it is opened', async () => {
  const gates = new Gates();
  const steps: string[] = [];
  const walker = gates.pass('bridge').then(() => steps.push('passed'));
  await gates.reached('bridge');
  expect(steps).toEqual([]);
  gates.open('bridge');
  await walker;
  expect(steps).toEqual(['passed']);
});

test('an open gate does not block', async () => {
  const gates = new Gates();
  gates.open('bridge');
  await expect(gates.pass('bridge')).resolves.toBeUndefined();
});

test('an aborted wait ends', async () => {
  const gates = new Gates();
  const abort = new AbortController();
  const walker = gates.pass('bridge', abort.signal);
  abort.abort(new Error('aborted'));
  await expect(walker).rejects.toThrow('aborted');
  await expect(gates.abandoned('bridge')).resolves.toBeUndefined();
});
