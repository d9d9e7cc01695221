import { expect, test } from 'vitest';
import { Gates } from './gates.ts';

test('a gate holds whoever comes until it is opened', async () => {
  const gates = new Gates();
  const steps: string[] = [];
  const walker = gates.pass('bridge').then(() => steps.push('passed'));
  await gates.reached('bridge');
  expect(steps).toEqual([]);
  gates.open('bridge');
  await walker;
  expect(steps).toEqual(['passed']);
});

test('a gate that is open already holds nobody', async () => {
  const gates = new Gates();
  gates.open('bridge');
  await expect(gates.pass('bridge')).resolves.toBeUndefined();
});

test('an aborted walker does not wait any longer', async () => {
  const gates = new Gates();
  const abort = new AbortController();
  const walker = gates.pass('bridge', abort.signal);
  abort.abort(new Error('called back'));
  await expect(walker).rejects.toThrow('called back');
  await expect(gates.abandoned('bridge')).resolves.toBeUndefined();
});
