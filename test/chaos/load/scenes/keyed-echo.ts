import type { StreamResponse } from '@holdword/protocol';
import type { Client } from '../../wire/client.ts';
import { messageRequest } from '../message-request.ts';
import { untilAnswered, type Scene, type Stage } from '../stage.ts';

const SENDS_AT_ONCE = 3;

/** The same message several times at once under one key, each until it is answered: one task, whatever is killed. */
export const keyedEcho: Scene = async (stage) => {
  const key = stage.nextLabel();
  const request = messageRequest(`echo ${key}`, key);
  await Promise.all(
    Array.from({ length: SENDS_AT_ONCE }, async () => {
      const streamed = stage.random.chance(0.3);
      const taskId = await untilAnswered(stage, (client) =>
        streamed ? readStream(stage, client, request, key) : readAnswer(stage, client, request, key),
      );
      stage.ledger.key(key, { taskId, request });
    }),
  );
};

type Request = ReturnType<typeof messageRequest>;

async function readAnswer({ ledger }: Stage, client: Client, request: Request, key: string): Promise<string> {
  return ledger.answer(await client.send(request, key)).id;
}

async function readStream({ ledger }: Stage, client: Client, request: Request, key: string): Promise<string> {
  let taskId: string | undefined;
  for await (const frame of client.stream(request, { idempotencyKey: key })) {
    taskId ??= (JSON.parse(frame.json) as Extract<StreamResponse, { task: unknown }>).task.id;
    ledger.event(taskId, frame);
    ledger.key(key, { taskId, request });
  }
  if (taskId === undefined) throw new Error('A stream ended in good order without any event.');
  return taskId;
}
