import { callHttp } from '../../support/drivers/http-call.ts';

const BODY = JSON.stringify({
  message: { messageId: 'good', role: 'ROLE_USER', parts: [{ text: 'echo good' }] },
});

/** One call that must succeed, with its time in milliseconds. */
export async function goodCall(restUrl: string): Promise<number> {
  const startedAt = performance.now();
  const { status, body } = await callHttp({
    url: `${restUrl}/message:send`,
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: BODY,
  });
  if (status !== 200) throw new Error(`Expected a good call to succeed, found ${status}: ${body}`);
  return performance.now() - startedAt;
}

/** Makes good calls one after the other while the load lasts, and gives their median time. */
export async function medianBeside(restUrl: string, load: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  const over = new AbortController();
  const ended = load.finally(() => over.abort());
  while (!over.signal.aborted) times.push(await goodCall(restUrl));
  await ended;
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}
