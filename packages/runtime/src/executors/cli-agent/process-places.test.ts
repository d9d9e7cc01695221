import { expect, test } from 'vitest';
import { ProcessPlaces } from './process-places.ts';

const patient = new AbortController().signal;

test('places are given up to their number, then in the order of asking', async () => {
  const places = new ProcessPlaces(2);
  const leaveFirst = await places.take(patient);
  await places.take(patient);
  expect(places.full).toBe(true);
  const served: string[] = [];
  const take = async (name: string): Promise<() => void> => {
    const leave = await places.take(patient);
    served.push(name);
    return leave;
  };
  const third = take('third');
  const fourth = take('fourth');
  leaveFirst();
  const leaveThird = await third;
  expect(served).toEqual(['third']);
  leaveThird();
  const leaveFourth = await fourth;
  leaveFourth();
  expect(places.full).toBe(false);
});

test('whoever gives up waiting takes no place', async () => {
  const places = new ProcessPlaces(1);
  const leave = await places.take(patient);
  const impatient = new AbortController();
  const waiting = places.take(impatient.signal);
  impatient.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  leave();
  expect(places.full).toBe(false);
  await expect(places.take(impatient.signal)).rejects.toThrow('enough');
});
