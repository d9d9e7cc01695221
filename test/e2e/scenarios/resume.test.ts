import { RESUME_EXTENSION, type JsonObject, type StreamResponse } from '@holdword/protocol';
import { expect } from 'vitest';
import type { Driver, StreamedEvent } from '../../support/drivers/driver.ts';
import { allEvents, outline, say, sendForTask, unique } from '../conversation.ts';
import { expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const SCRIPT = 'status one; artifact a 1; append a 2; append a 3; last a 4; complete done';
const RAW_V1 = { versions: ['1.0'], clients: ['raw'] } as const;

/** The service parameter with the cursor: an SSE header, or metadata in bindings without SSE. */
function cursor(driver: Driver, sequence: number): Record<string, string> {
  return driver.binding === 'GRPC'
    ? { 'holdword-resume-after': String(sequence) }
    : { 'last-event-id': String(sequence) };
}

const DECLARED = { 'a2a-extensions': RESUME_EXTENSION };

/** The sequence number that an event includes. */
function sequenceIn(event: StreamResponse): unknown {
  const [payload] = Object.values(event) as { metadata?: JsonObject }[];
  const stamp = payload?.metadata?.[RESUME_EXTENSION];
  return typeof stamp === 'object' && stamp !== null && 'seq' in stamp ? stamp.seq : undefined;
}

/** The first events of a stream, which is then closed. */
async function take(events: AsyncIterable<StreamedEvent>, count: number): Promise<StreamResponse[]> {
  const taken: StreamResponse[] = [];
  for await (const { event } of events) {
    taken.push(event);
    if (taken.length === count) {
      break;
    }
  }
  return taken;
}

function idOf([first]: readonly StreamResponse[]): string {
  if (first === undefined || !('task' in first)) {
    throw new Error(`Expected the task first, found ${JSON.stringify(first)}`);
  }
  return first.task.id;
}

scenarios('Resuming a stream', {}, ({ scenario }) => {
  scenario(
    { it: 'finds events numbered from 1 without gaps', covers: ['RESUME-STAMP'] },
    async ({ driver }) => {
      const events = await allEvents(driver.stream(say(SCRIPT)));
      expect(events.map(sequenceIn)).toEqual(events.map((_, index) => index + 1));
    },
  );

  scenario(
    {
      it: 'finds the same numbers as SSE ids',
      covers: ['RESUME-SSE-ID'],
      on: { bindings: ['JSONRPC', 'HTTP+JSON'], clients: ['raw'] },
    },
    async ({ driver }) => {
      const ids: (string | undefined)[] = [];
      for await (const { id } of driver.stream(say(SCRIPT))) {
        ids.push(id);
      }
      expect(ids.length).toBeGreaterThan(5);
      expect(ids).toEqual(ids.map((_, index) => String(index + 1)));
    },
  );

  scenario(
    { it: 'returns exactly what was missed, then what is new', covers: ['RESUME-CURSOR'], on: RAW_V1 },
    async ({ driver, agent }) => {
      const gate = unique('gate');
      const script = `status one; artifact a 1; append a 2; append a 3; wait ${gate}; append a 4; complete`;
      const before = await take(driver.stream(say(script)), 6);
      const id = idOf(before);
      await agent.gates.reached(gate);
      const back = driver.subscribe({ id }, { headers: cursor(driver, 2) });
      const events: StreamResponse[] = [];
      for await (const { event } of back) {
        events.push(event);
        if (sequenceIn(event) === 6) {
          agent.gates.open(gate);
        }
      }
      const [task, ...rest] = events;
      expect(task).toMatchObject({ task: { id } });
      expect(rest.slice(0, 4)).toEqual(before.slice(2));
      expect(outline(rest.slice(4))).toEqual(['artifact+ a 4', 'completed']);
      expect(rest.map(sequenceIn)).toEqual([3, 4, 5, 6, 7, 8]);
    },
  );

  scenario(
    { it: 'can replay a task that has ended, from any position', covers: ['RESUME-TERMINAL'], on: RAW_V1 },
    async ({ driver }) => {
      const events = await allEvents(driver.stream(say(SCRIPT)));
      const id = idOf(events);
      for (let place = 0; place <= events.length; place += 1) {
        const headers = { ...DECLARED, ...cursor(driver, place) };
        const replayed = await allEvents(driver.subscribe({ id }, { headers }));
        expect(replayed[0]).toMatchObject({ task: { id } });
        expect(replayed.slice(1)).toEqual(events.slice(Math.max(place, 1)));
      }
    },
  );

  scenario(
    { it: 'is not available to a plain client after the end', covers: ['RESUME-TERMINAL'], on: RAW_V1 },
    async ({ driver }) => {
      const { id } = await sendForTask(driver, say('complete'));
      await expectStreamError(
        driver,
        'UNSUPPORTED_OPERATION',
        driver.subscribe({ id }, { headers: cursor(driver, 1) }),
      );
    },
  );

  scenario(
    { it: 'rejects a cursor that no event has', covers: ['RESUME-CURSOR'], on: RAW_V1 },
    async ({ driver }) => {
      const { id } = await sendForTask(driver, say('ask what?'));
      for (const place of ['999', '-1', 'x', '1.5']) {
        const headers =
          driver.binding === 'GRPC' ? { 'holdword-resume-after': place } : { 'last-event-id': place };
        await expectStreamError(driver, 'INVALID_PARAMS', driver.subscribe({ id }, { headers }));
      }
    },
  );
});
