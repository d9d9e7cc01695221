import { countRequest, ECHO_REQUEST, ECHO_TEXT, userMessage } from '../peers/work.ts';
import type { Exchange } from './closed-loop.ts';
import { RequestTemplate } from './request-template.ts';
import { SendResponseCheck } from './send-response-check.ts';
import { StreamResponseCheck } from './stream-response-check.ts';

/** Blocking sends of an echo task with one artifact, each counted as one request. */
export function echoExchange(url: URL): Exchange {
  const template = new RequestTemplate(url, {
    method: 'SendMessage',
    params: { message: userMessage(RequestTemplate.id, ECHO_REQUEST) },
  });
  return async (connection) => {
    const { id, bytes } = template.next();
    await connection.exchange(bytes, new SendResponseCheck(id, ECHO_TEXT));
    return 1;
  };
}

/** Streams of one artifact in chunks, counted by their events. */
export function countExchange(url: URL, chunks: number): Exchange {
  const template = new RequestTemplate(url, {
    method: 'SendStreamingMessage',
    params: { message: userMessage(RequestTemplate.id, countRequest(chunks)) },
  });
  return async (connection) => {
    const check = new StreamResponseCheck(chunks);
    await connection.exchange(template.next().bytes, check);
    return check.events;
  };
}
