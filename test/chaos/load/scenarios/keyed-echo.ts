import type { StreamResponse } from '@holdword/protocol';
import type { Client } from '../../wire/client.ts';
import { messageRequest } from '../message-request.ts';
import { retryUntilAnswered, type Scenario, type LoadContext } from '../load-context.ts';

const SENDS_AT_ONCE = 3;

/** Sends the same message several times with one key, each with retries: exactly one task, whatever is killed. */
export const keyedEcho: Scenario = async (context) => {
  const key = context.nextLabel();
  const request = messageRequest(`echo ${key}`, key);
  await Promise.all(
    Array.from({ length: SENDS_AT_ONCE }, async () => {
      const streamed = context.random.chance(0.3);
      const taskId = await retryUntilAnswered(context, (client) =>
        streamed ? readStream(context, client, request, key) : readResponse(context, client, request, key),
      );
      context.ledger.key(key, { taskId, request });
    }),
  );
};

type Request = ReturnType<typeof messageRequest>;

async function readResponse(
  { ledger }: LoadContext,
  client: Client,
  request: Request,
  key: string,
): Promise<string> {
  return ledger.response(await client.send(request, key)).id;
}

async function readStream(
  { ledger }: LoadContext,
  client: Client,
  request: Request,
  key: string,
): Promise<string> {
  let taskId: string | undefined;
  for await (const frame of client.stream(request, { idempotencyKey: key })) {
    taskId ??= (JSON.parse(frame.json) as Extract<StreamResponse, { task: unknown }>).task.id;
    ledger.event(taskId, frame);
    ledger.key(key, { taskId, request });
  }
  if (taskId === undefined) throw new Error('A stream ended normally without any event.');
  return taskId;
}
