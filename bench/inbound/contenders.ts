import { callJson } from '../load/call-json.ts';
import { CollectedBody } from '../load/collected-response.ts';
import { Connection } from '../load/connection.ts';
import { RequestTemplate } from '../load/request-template.ts';
import { userMessage } from '../peers/work.ts';
import { ANSWER, QUESTION, type Contender } from './contender.ts';

/** The plain channel of a gateway. */
export function bareContender(gatewayUrl: string): Contender {
  const url = new URL('/bare', gatewayUrl);
  return {
    name: 'bare-dispatch',
    title: 'bare dispatch',
    turn: async (contextId) => {
      const body = JSON.stringify({ text: QUESTION, contextId });
      const head = `POST ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const answer = new CollectedBody();
      // A new connection: the gateway closes idle ones after a few seconds.
      using connection = await Connection.open(url);
      const start = performance.now();
      await connection.exchange(Buffer.from(head + body), answer);
      return checked(performance.now() - start, answer.text);
    },
  };
}

export interface A2aOptions {
  readonly name: string;
  readonly title: string;
  readonly url: URL;
  readonly token: string;
}

/** A channel that speaks A2A 1.0. */
export function a2aContender({ name, title, url, token }: A2aOptions): Contender {
  return {
    name,
    title,
    turn: async (contextId) => {
      const message = { ...userMessage(RequestTemplate.id, QUESTION), contextId };
      const headers = { Authorization: `Bearer ${token}` };
      using connection = await Connection.open(url);
      const start = performance.now();
      const result = await callJson(connection, url, { method: 'SendMessage', params: { message }, headers });
      return checked(performance.now() - start, JSON.stringify(result));
    },
  };
}

function checked(milliseconds: number, answer: string): number {
  if (answer.includes(ANSWER) && !answer.includes('TASK_STATE_WORKING')) return milliseconds;
  throw new Error(`Expected the reply "${ANSWER}", received ${answer.slice(0, 400)}.`);
}
