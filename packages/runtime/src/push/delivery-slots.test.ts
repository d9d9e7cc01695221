import { expect, test } from 'vitest';
import { DeliverySlots, type DeliverySlotsOptions } from './delivery-slots.ts';

/** Work that runs until it is released, and the order in which it started. */
function watchedSlots(options: DeliverySlotsOptions) {
  const slots = new DeliverySlots(options);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const use = (caller: string, host: string, name: string) =>
    slots.use(caller, host, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return { begun, use, slots, end: (name: string) => ends.get(name)?.() };
}

test('one host gets no more than its slots, and does not block others of its caller', async () => {
  const { begun, use, end } = watchedSlots({ total: 10, perHost: 2, reservedPercent: 0 });
  const all = [use('me', 'a', 'a1'), use('me', 'a', 'a2'), use('me', 'a', 'a3'), use('me', 'b', 'b1')];
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1']);
  end('a1');
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of begun) end(name);
  await Promise.all(all);
});

test('a caller whose receivers hang delays neither another caller, nor that one at the same host', async () => {
  const { begun, use, end, slots } = watchedSlots({ total: 4, perHost: 2, reservedPercent: 25 });
  const hosts = ['a', 'b', 'c', 'd', 'e'];
  const all = hosts.map((host) => use('hog', host, host));
  await expect.poll(() => begun).toEqual(['a', 'b', 'c']);
  expect([slots.running, slots.waiting]).toEqual([3, 2]);
  all.push(use('me', 'a', 'mine'));
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'mine']);
  // A free slot goes to the callers in turn.
  all.push(use('me', 'b', 'mine too'));
  end('a');
  await expect.poll(() => begun).toEqual(['a', 'b', 'c', 'mine']);
  end('mine');
  await expect.poll(() => begun.slice(4).toSorted()).toEqual(['d', 'mine too']);
  for (const name of ['b', 'c', 'd', 'mine too']) end(name);
  await expect.poll(() => begun).toContain('e');
  end('e');
  await Promise.all(all);
});

test('work that fails releases its slot', async () => {
  const slots = new DeliverySlots({ total: 1, perHost: 1, reservedPercent: 25 });
  await expect(slots.use('me', 'a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.use('me', 'a', async () => 'yes')).toBe('yes');
});
