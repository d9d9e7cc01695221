import { expect, test } from 'vitest';
import type { CliOutput } from '../cli-agent/profile.ts';
import { OutputQueue } from './gateway-agent.ts';

const said = (text: string): CliOutput[] => [{ kind: 'text', text }];

test('writes one after another', async () => {
  const written: string[] = [];
  const first = Promise.withResolvers<void>();
  const queue = new OutputQueue(async ([output]) => {
    if (written.length === 0) await first.promise;
    written.push(JSON.stringify(output));
  });
  queue.add(said('a'));
  queue.add(said('b'));
  first.resolve();
  await queue.written();
  expect(written).toEqual([JSON.stringify(said('a')[0]), JSON.stringify(said('b')[0])]);
});

test('rejects the final wait if a write failed', async () => {
  const queue = new OutputQueue(() => Promise.reject(new Error('disk is full')));
  queue.add(said('a'));
  await expect(queue.written()).rejects.toThrow('disk is full');
});
