import { z } from 'zod';

export const text = z.string({ error: 'expected a string' }).min(1, 'expected a non-empty string');

export const flag = z.boolean({ error: 'expected true or false' });

export function integer(what: string, smallest: number, largest: number) {
  const error = `expected ${what} from ${smallest} to ${largest}`;
  return z.int({ error }).min(smallest, error).max(largest, error);
}

export function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item, { error: 'expected an array' });
}
