import { expect, test } from 'vitest';
import { DeliverySlots } from './delivery-slots.ts';

/** Work that runs until it is released, and the order in which it started. */
function watchedSlots(total: number, perOrigin: number) {
  const slots = new DeliverySlots(total, perOrigin);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const use = (origin: string, name: string) =>
    slots.use(origin, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.set(name, resolve));
    });
  return { begun, use, end: (name: string) => ends.get(name)?.() };
}

test('one origin gets no more than its slots, and does not block others', async () => {
  const { begun, use, end } = watchedSlots(10, 2);
  const all = [use('a', 'a1'), use('a', 'a2'), use('a', 'a3'), use('b', 'b1')];
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1']);
  end('a1');
  await expect.poll(() => begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of begun) end(name);
  await Promise.all(all);
});

test('all origins together get no more than the total, in order', async () => {
  const { begun, use, end } = watchedSlots(2, 2);
  const all = [use('a', 'a1'), use('b', 'b1'), use('c', 'c1'), use('d', 'd1')];
  await expect.poll(() => begun).toEqual(['a1', 'b1']);
  end('b1');
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'c1']);
  end('a1');
  await expect.poll(() => begun).toEqual(['a1', 'b1', 'c1', 'd1']);
  for (const name of begun) end(name);
  await Promise.all(all);
});

test('work that fails releases its slot', async () => {
  const slots = new DeliverySlots(1, 1);
  await expect(slots.use('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await slots.use('a', async () => 'yes')).toBe('yes');
});
