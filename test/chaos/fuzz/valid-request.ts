import { callHttp } from '../../support/drivers/http-client.ts';

const BODY = JSON.stringify({
  message: { messageId: 'good', role: 'ROLE_USER', parts: [{ text: 'echo good' }] },
});

/** Sends a request that must succeed. */
export async function sendValidRequest(restUrl: string): Promise<void> {
  const { status, body } = await callHttp({
    url: `${restUrl}/message:send`,
    headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
    body: BODY,
  });
  if (status !== 200) throw new Error(`A valid request failed with ${status}: ${body}`);
}
