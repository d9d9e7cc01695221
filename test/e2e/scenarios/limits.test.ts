import { expect } from 'vitest';
import { callHttp } from '../../support/drivers/http-client.ts';
import { say, sendForTask } from '../conversation.ts';
import { expectError, expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const LIMIT = 20_000;

scenarios('The body limit', { bodyBytes: LIMIT }, ({ scenario, check }) => {
  scenario(
    {
      it: 'rejects a larger message and accepts a smaller one',
      covers: ['HTTP-BODY-LIMIT'],
      on: { clients: ['raw'] },
    },
    async ({ driver }) => {
      const parts = [{ text: 'mirror' }, { text: 'x'.repeat(LIMIT - 2_000) }];
      expect((await sendForTask(driver, say('', { parts }))).artifacts?.[0]?.parts).toEqual(parts);
      const large = say('x'.repeat(LIMIT));
      await expectError(driver, 'REQUEST_TOO_LARGE', driver.send(large));
      await expectStreamError(driver, 'REQUEST_TOO_LARGE', driver.stream(large));
      expect((await sendForTask(driver, say('complete'))).status.state).toBe('TASK_STATE_COMPLETED');
    },
  );

  check(
    {
      it: 'responds in the content type of the binding',
      covers: ['HTTP-BODY-LIMIT', 'HTTP-CONTENT-TYPE'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
      const body = JSON.stringify(say('complete'));
      const rest = await callHttp({ url: `${target.restUrl}/message:send`, headers, body });
      expect(rest.headers['content-type']).toMatch(/^application\/a2a\+json/);
      expect(Number(rest.headers['content-length'])).toBe(Buffer.byteLength(rest.body));
      const large = await callHttp({ url: target.jsonRpcUrl, headers, body: 'x'.repeat(LIMIT + 1) });
      expect(large.status).toBe(413);
      expect(JSON.parse(large.body)).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32094 } });
    },
  );
});
