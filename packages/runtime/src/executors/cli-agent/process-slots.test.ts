import { expect, test } from 'vitest';
import { ProcessSlots } from './process-slots.ts';

const patient = new AbortController().signal;

test('slots are handed out up to the limit, then in the order of waiting', async () => {
  const slots = new ProcessSlots(2);
  const releaseFirst = await slots.take(patient);
  await slots.take(patient);
  expect(slots.full).toBe(true);
  const served: string[] = [];
  const take = async (name: string): Promise<() => void> => {
    const release = await slots.take(patient);
    served.push(name);
    return release;
  };
  const third = take('third');
  const fourth = take('fourth');
  releaseFirst();
  const releaseThird = await third;
  expect(served).toEqual(['third']);
  releaseThird();
  const releaseFourth = await fourth;
  releaseFourth();
  expect(slots.full).toBe(false);
});

test('an aborted wait takes no slot', async () => {
  const slots = new ProcessSlots(1);
  const release = await slots.take(patient);
  const impatient = new AbortController();
  const waiting = slots.take(impatient.signal);
  impatient.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  release();
  expect(slots.full).toBe(false);
  await expect(slots.take(impatient.signal)).rejects.toThrow('enough');
});
