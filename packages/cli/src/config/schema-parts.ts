import { z } from 'zod';

export const text = z.string({ error: 'expected a text' }).min(1, 'expected a text that is not empty');

export function integer(what: string, smallest: number, largest: number) {
  const error = `expected ${what} from ${smallest} to ${largest}`;
  return z.int({ error }).min(smallest, error).max(largest, error);
}
