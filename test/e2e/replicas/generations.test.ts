import type { StreamResponse, Task } from '@holdword/protocol';
import { RESUME_EXTENSION } from '@holdword/protocol';
import { usePostgres } from '@holdword/store/testing/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { campaignSeed, Random } from '../../chaos/random.ts';
import { BINDINGS } from '../../support/drivers/driver.ts';
import { type NextDriver, openNext } from '../../support/drivers/raw-next.ts';
import type { WireError } from '../../support/drivers/wire-error.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { say, sayAndLeave, taskOf } from '../conversation.ts';
import { generationIn } from '../generations/random-history.ts';
import { prepareReplicas, type Replicas } from './start-replicas.ts';

watchForLeaks();

const postgres = usePostgres();

let replicas: Replicas;
let targets: Parameters<typeof openNext>[0][];
const opened: NextDriver[] = [];

beforeAll(async () => {
  replicas = await prepareReplicas(postgres());
  targets = (await Promise.all([replicas.start(), replicas.start()])).map(({ target }) => target);
});

afterAll(async () => {
  for (const driver of opened) driver.close();
  await replicas.remove();
});

function open(replica: 0 | 1, binding: (typeof BINDINGS)[number]): NextDriver {
  const driver = openNext(targets[replica] as Parameters<typeof openNext>[0], binding);
  opened.push(driver);
  return driver;
}

/** Whether a request is answered within a moment, although the server should hold it. */
async function answered(task: Promise<Task>): Promise<boolean> {
  const pause = new Promise<false>((resolve) => setTimeout(() => resolve(false), 300));
  return Promise.race([task.then(() => true), pause]);
}

describe.each(BINDINGS)('two replicas over %s', (binding) => {
  test('hold a request for a task of the other, and answer it when the task moves there', async () => {
    const [here, there] = [open(0, binding), open(1, binding)];
    const gate = replicas.newGate();
    const { id } = taskOf(await here.send(sayAndLeave(`gate ${gate.file} ask`)));
    await waitUntil('the agent at its gate', () => gate.isReached);
    const before = await there.get({ id });
    const request = { id, currentGeneration: Number(before.generation) };
    const held = [here.get(request), there.get(request)];
    expect(await Promise.all(held.map(answered))).toEqual([false, false]);
    gate.open();
    for (const task of await Promise.all(held)) {
      expect(Number(task.generation)).toBeGreaterThan(Number(before.generation));
    }
    // Now nobody holds the task: whoever answers its question wakes the other.
    await waitUntil(
      'the question',
      async () => (await there.get({ id })).status.state === 'TASK_STATE_INPUT_REQUIRED',
    );
    const asked = await here.get({ id });
    const waiting = here.get({ id, currentGeneration: Number(asked.generation) });
    expect(await answered(waiting)).toBe(false);
    await there.send(say('echo this one', { taskId: id }));
    expect(Number((await waiting).generation)).toBeGreaterThan(Number(asked.generation));
  });

  test.each([false, true])(
    'let one of 50 messages pass (returnImmediately: %s)',
    async (returnImmediately) => {
      const drivers = [open(0, binding), open(1, binding)] as const;
      const gate = replicas.newGate();
      gate.open();
      const asked = taskOf(await drivers[0].send(say(`gate ${gate.file} ask`)));
      expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
      const configuration = { ifGenerationMatch: Number(asked.generation), returnImmediately };
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          (drivers[index % 2] as NextDriver)
            .send(say(`gate ${gate.file} ask`, { taskId: asked.id }, { configuration }))
            .then(
              () => 'accepted',
              (error: WireError) => error.reason,
            ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'accepted')).toHaveLength(1);
      // One that does not want to wait may be told that the turn of another is not on disk yet.
      const refusals = ['TASK_GENERATION_MISMATCH', ...(returnImmediately ? ['UNSUPPORTED_OPERATION'] : [])];
      expect(
        outcomes.filter((outcome) => outcome !== 'accepted' && !refusals.includes(String(outcome))),
      ).toEqual([]);
      // The message, two artifacts of its turn, and the next question.
      await expect
        .poll(async () => (await drivers[1].get({ id: asked.id })).generation)
        .toBe(String(Number(asked.generation) + 4));
    },
  );
});

test('events have the generations 1 to n, whichever replicas wrote them, and after one was killed', async () => {
  const victim = await replicas.start();
  const doomed = openNext(victim.target, 'JSONRPC');
  opened.push(doomed);
  const gate = replicas.newGate();
  gate.open();
  const { id } = taskOf(await doomed.send(say(`gate ${gate.file} ask`)));
  for (const [index, binding] of BINDINGS.entries()) {
    const driver = open(index === 1 ? 1 : 0, binding);
    expect(taskOf(await driver.send(say(`gate ${gate.file} ask`, { taskId: id }))).status.state).toBe(
      'TASK_STATE_INPUT_REQUIRED',
    );
  }
  const closed = replicas.newGate();
  await doomed.send(
    say(`gate ${closed.file}`, { taskId: id }, { configuration: { returnImmediately: true } }),
  );
  await waitUntil('the agent at its gate', () => closed.isReached);
  await victim.kill();
  closed.open();
  const survivor = open(0, 'JSONRPC');
  let task = await survivor.get({ id });
  while (task.status.state !== 'TASK_STATE_COMPLETED')
    task = await survivor.get({ id, currentGeneration: Number(task.generation) });
  const expected = Array.from({ length: Number(task.generation) }, (_, index) => index + 1);
  for (const binding of BINDINGS) {
    for (const replica of [0, 1] as const) {
      const headers = {
        'a2a-extensions': RESUME_EXTENSION,
        [binding === 'GRPC' ? 'holdword-resume-after' : 'last-event-id']: '0',
      };
      const events: StreamResponse[] = [];
      for await (const event of open(replica, binding).subscribe({ id }, { headers })) events.push(event);
      expect(events.map(generationIn)).toEqual(expected);
    }
  }
});

test('random histories have the generations 1 to n, on whichever replicas and bindings they happen', async () => {
  const random = new Random(campaignSeed());
  const gate = replicas.newGate();
  gate.open();
  let extra = await replicas.start();
  for (let history = 0; history < 6; history += 1) {
    const name = `history ${history} of seed ${random.seed}`;
    const turns = random.integer(1, 4);
    let id: string | undefined;
    let last = 0;
    for (let turn = 1; turn <= turns; turn += 1) {
      const driver = openNext(random.pick([...targets, extra.target]), random.pick(BINDINGS));
      opened.push(driver);
      const ending = random.pick([`count to ${random.integer(1, 6)}`, 'echo the end', `gate ${gate.file}`]);
      const script = turn < turns ? `gate ${gate.file} ask` : ending;
      const request = say(script, id === undefined ? {} : { taskId: id });
      if (random.chance(0.6)) {
        const generations: number[] = [];
        for await (const event of driver.stream(request)) {
          if ('task' in event) id = event.task.id;
          generations.push(generationIn(event));
        }
        // The first frame of a later turn is the task after it was continued.
        expect(generations, name).toEqual(generations.map((_, index) => last + 1 + index));
        last = generations.at(-1) ?? 0;
      } else {
        const task = taskOf(await driver.send(request));
        id = task.id;
        expect(Number(task.generation), name).toBeGreaterThan(last);
        last = Number(task.generation);
      }
      if (random.chance(0.4)) {
        await extra.kill();
        extra = await replicas.start();
      }
    }
    const expected = Array.from({ length: last }, (_, index) => index + 1);
    for (const target of [...targets, extra.target]) {
      for (const binding of BINDINGS) {
        const reader = openNext(target, binding);
        opened.push(reader);
        expect((await reader.get({ id: id ?? '' })).generation, name).toBe(String(last));
        const headers = {
          'a2a-extensions': RESUME_EXTENSION,
          [binding === 'GRPC' ? 'holdword-resume-after' : 'last-event-id']: '0',
        };
        const events: number[] = [];
        for await (const event of reader.subscribe({ id: id ?? '' }, { headers }))
          events.push(generationIn(event));
        expect(events, name).toEqual(expected);
      }
    }
  }
}, 120_000);
