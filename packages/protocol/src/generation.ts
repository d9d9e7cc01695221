import { asObject } from './basics/json.ts';
import type { StreamResponse } from './model.ts';

/*
 * The generations of A2A 1.1. A task has 1 when it is created, and one more with each change of its state or its artifacts;
 * an event has the generation of the task after its change. For us that is the sequence number of the journal (J2).
 */

/**
 * The JSON of an event, or of a task as one, with the generation in it. The text is not parsed: it ends with the message inside,
 * which is never empty.
 */
export function withGeneration(json: string, generation: number): string {
  return `${json.slice(0, -2)},"generation":"${generation}"}}`;
}

/** The generation of an event or a task. Undefined if it has none: 0 says that the agent does not count. */
export function generationOf(value: object): number | undefined {
  const { generation } = asObject(value);
  const number = typeof generation === 'string' && /^\d{1,15}$/.test(generation) ? Number(generation) : 0;
  return number > 0 ? number : undefined;
}

/** The generation in one frame of a stream. */
export function generationOfEvent(event: StreamResponse): number | undefined {
  const [content] = Object.values(event);
  return content === undefined ? undefined : generationOf(content);
}
