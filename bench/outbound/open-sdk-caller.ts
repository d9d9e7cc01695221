import { randomUUID } from 'node:crypto';
import { SendMessageRequest, Task } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { ECHO_REQUEST, ECHO_TEXT, userMessage } from '../peers/work.ts';
import type { Caller } from './caller.ts';

/** The official client as in its documentation, without anything around it. */
export async function openSdkCaller(origin: string): Promise<Caller> {
  const client = await new ClientFactory().createFromUrl(origin);
  return {
    async call() {
      const message = userMessage(randomUUID(), ECHO_REQUEST);
      const answer = await client.sendMessage(SendMessageRequest.fromJSON({ message }));
      const found = 'artifacts' in answer ? JSON.stringify(Task.toJSON(answer)) : '';
      if (!found.includes(ECHO_TEXT))
        throw new Error(`Expected a task with "${ECHO_TEXT}", received something else.`);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
