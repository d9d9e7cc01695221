import type { StreamResponse } from '@holdword/protocol';
import type { Random } from '../../chaos/random.ts';

const STEPS = [
  'status thinking',
  'working',
  'artifact a one',
  'artifact b two',
  'append a more',
  'last b end',
];
const ENDS = ['complete', 'complete done', 'fail broken', 'reject never', 'crash boom'];

/** A turn of the scripted agent that ends the task, or asks for more. */
export function randomScript(random: Random, isLast: boolean): string {
  const steps = Array.from({ length: random.integer(0, 7) }, () => random.pick(STEPS));
  return [...steps, isLast ? random.pick(ENDS) : 'ask what next?'].join('; ');
}

/** The generation of an event, which every event of A2A 1.1 has. */
export function generationIn(event: StreamResponse): number {
  const [content] = Object.values(event) as { generation?: unknown }[];
  const generation = content?.generation;
  // ProtoJSON writes int64 as a string.
  if (typeof generation === 'string' && /^[1-9]\d*$/.test(generation)) return Number(generation);
  throw new Error(`Expected a generation, found ${JSON.stringify(event)}`);
}
