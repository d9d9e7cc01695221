import { callHttp } from '../../support/drivers/http-call.ts';

const BODY = JSON.stringify({
  message: { messageId: 'good', role: 'ROLE_USER', parts: [{ text: 'echo good' }] },
});

/** One call that must succeed. */
export async function goodCall(restUrl: string): Promise<void> {
  const { status, body } = await callHttp({
    url: `${restUrl}/message:send`,
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: BODY,
  });
  if (status !== 200) throw new Error(`Expected a good call to succeed, found ${status}: ${body}`);
}
