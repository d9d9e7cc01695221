import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { asObject } from '@holdword/protocol/internal';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { startWebServer } from '../testing/start-web-server.ts';
import { A2ASession } from './a2a-session.ts';

const WORKING = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
const ids = { taskId: 't-1', contextId: 'c-1' };

/** An agent that answers GetTask one byte at a time. */
async function startDribbling(events: readonly object[], streaming: boolean): Promise<string> {
  const server = await startWebServer((request, response) => {
    const respond = async (): Promise<void> => {
      const supportedInterfaces = [
        { url: `${server.origin}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      ];
      if (request.method === 'GET') {
        response.end(JSON.stringify({ name: 'Slow', supportedInterfaces, capabilities: { streaming } }));
        return;
      }
      const { id, method } = asObject(JSON.parse(Buffer.concat(await request.toArray()).toString()));
      const answer = (result: unknown): string => JSON.stringify({ jsonrpc: '2.0', id, result });
      if (method === 'SendMessage') response.end(answer({ task: WORKING }));
      else if (method === 'GetTask') dribble(response, answer(WORKING));
      else {
        response.setHeader('Content-Type', 'text/event-stream');
        response.end(events.map((event) => `data: ${answer(event)}\n\n`).join(''));
      }
    };
    void respond();
  });
  return server.origin;
}

function dribble(response: ServerResponse, text: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    sent += 1;
    response.write(text[sent] ?? ' ');
  }, 100);
  response.on('close', () => clearInterval(timer));
}

function openSession(url: string, maxResponseBytes?: number): A2ASession {
  const agents = new A2AAgents({ peer: { url } }, { ...(maxResponseBytes && { maxResponseBytes }) });
  onTestFinished(() => agents.close());
  return new A2ASession(agents);
}

const NOTICE = 'urn:holdword:client:notice:v1';
const CUT_OFF =
  /^This is the task as it was last seen\. The agent was still sending the task when the time ran out \(\d+ bytes had arrived\), so what is new in it is missing\. Call getTask again, with a larger timeout\./;

test('an agent that answers slowly is not said to be silent', async () => {
  const url = await startDribbling([], false);
  expect(await openSession(url).sendMessage('peer', 'hello', { timeout: 3 })).toMatchObject({
    status: { state: 'working' },
    metadata: { [NOTICE]: expect.stringMatching(CUT_OFF) as string },
  });
});

test('a task without all of its artifacts has not ended, and says so', async () => {
  const text = 'x'.repeat(3_000);
  const artifact = (artifactId: string): object => ({
    artifactUpdate: { ...ids, artifact: { artifactId, parts: [{ text }] } },
  });
  const end = { statusUpdate: { ...ids, status: { state: 'TASK_STATE_COMPLETED' } } };
  const url = await startDribbling([{ task: WORKING }, artifact('a'), artifact('b'), end], true);
  const session = openSession(url, 5_000);
  const answer = await session.sendMessage('peer', 'hello', { timeout: 3 });
  expect(answer).toMatchObject({ status: { state: 'working' } });
  expect(answer.metadata?.[NOTICE]).toMatch(CUT_OFF);
  expect(answer.metadata?.[NOTICE]).toContain('The artifacts are incomplete');
  expect(await session.getSavedTask('peer', 't-1')).toMatchObject({ status: { state: 'working' } });
});
