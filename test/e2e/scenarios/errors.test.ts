import type { A2AErrorCode } from '@holdword/protocol';
import { ERROR_TABLE } from '@holdword/protocol/internal';
import { expect } from 'vitest';
import type { Driver } from '../../support/drivers/driver.ts';
import { callHttp } from '../../support/drivers/http-client.ts';
import { say, sendForTask, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

/** How to trigger each error that any binding can show. */
const PROVOCATIONS: Partial<Record<A2AErrorCode, (driver: Driver) => Promise<unknown>>> = {
  TASK_NOT_FOUND: (driver) => driver.get({ id: unique('task') }),
  TASK_NOT_CANCELABLE: async (driver) =>
    driver.cancel({ id: (await sendForTask(driver, say('complete'))).id }),
  PUSH_NOTIFICATION_NOT_SUPPORTED: (driver) => driver.listPushConfigs({ taskId: unique('task') }),
  UNSUPPORTED_OPERATION: async (driver) =>
    driver.send(say('complete', { taskId: (await sendForTask(driver, say('complete'))).id })),
  CONTENT_TYPE_NOT_SUPPORTED: (driver) =>
    driver.send(say('', { parts: [{ raw: 'AAAA', mediaType: 'video/mp4' }] })),
  INVALID_PARAMS: (driver) => driver.send(say('', { parts: [] })),
};

const JSON_TYPE = { 'content-type': 'application/json' };
const V1 = { ...JSON_TYPE, 'a2a-version': '1.0' };

// Without push notifications, so that their error is also triggered.
scenarios('Errors', { runtime: { push: false } }, ({ scenario, check }) => {
  for (const [code, provoke] of Object.entries(PROVOCATIONS)) {
    scenario(
      {
        it: `shows ${code} with its code and reason`,
        covers: ['ERROR-CODES', 'ERROR-INFO', 'ERROR-HTTP-BODY'],
      },
      async ({ driver }) => {
        const known = Object.keys(ERROR_TABLE).find((name): name is A2AErrorCode => name === code);
        if (known === undefined) {
          throw new Error(`${code} is not in the table`);
        }
        await expectError(driver, known, provoke(driver));
      },
    );
  }

  check(
    {
      it: 'shows a REST error as AIP-193 describes it',
      covers: ['ERROR-HTTP-BODY', 'ERROR-INFO', 'HTTP-CONTENT-TYPE'],
      surfaces: ['HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      const answer = await callHttp({ url: `${target.restUrl}/tasks/none`, headers: V1 });
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toMatch(/^application\/(a2a\+)?json/);
      const body: unknown = JSON.parse(answer.body);
      expect(body).toMatchObject({
        error: {
          code: 404,
          status: 'NOT_FOUND',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'TASK_NOT_FOUND',
              domain: 'a2a-protocol.org',
            },
          ],
        },
      });
    },
  );

  check(
    {
      it: 'answers a body that is not JSON with a parse error',
      covers: ['ERROR-PARSE'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'],
    },
    async ({ target }) => {
      for (const body of ['{"jsonrpc": "2.0",', '', 'hello']) {
        for (const headers of [V1, JSON_TYPE]) {
          const { body: text } = await callHttp({ url: target.jsonRpcUrl, method: 'POST', headers, body });
          expect(JSON.parse(text), body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
        }
      }
      const v1 = await callHttp({ url: `${target.restUrl}/message:send`, headers: V1, body: '{' });
      expect(v1.status).toBe(400);
      expect(JSON.parse(v1.body)).toMatchObject({ error: { code: 400 } });
      const v03 = await callHttp({ url: `${target.restUrl}/v1/message:send`, headers: JSON_TYPE, body: '{' });
      expect(v03.status).toBe(400);
      expect(JSON.parse(v03.body)).toMatchObject({ code: -32700 });
    },
  );

  check(
    {
      it: 'answers a body that is not a JSON-RPC request with an invalid request',
      covers: ['ERROR-ENVELOPE'],
      surfaces: ['JSONRPC 1.0', 'JSONRPC 0.3'],
    },
    async ({ target }) => {
      for (const [version, headers, method] of [
        ['1.0', V1, 'GetTask'],
        ['0.3', JSON_TYPE, 'tasks/get'],
      ] as const) {
        for (const [request, id] of [
          [{ id: 7, method, params: {} }, 7],
          [{ jsonrpc: '1.0', id: 'a', method, params: {} }, 'a'],
          [{ jsonrpc: '2.0', id: 8, params: {} }, 8],
          [{ jsonrpc: '2.0', id: 9, method: 5, params: {} }, 9],
          [[{ jsonrpc: '2.0', id: 1, method, params: {} }], null],
          ['GetTask', null],
          [null, null],
        ] as const) {
          const body = JSON.stringify(request);
          const answer = await callHttp({ url: target.jsonRpcUrl, headers, body });
          expect(JSON.parse(answer.body), `${version} ${body}`).toMatchObject({
            jsonrpc: '2.0',
            id,
            error: { code: -32600 },
          });
        }
      }
    },
  );

  check(
    {
      it: 'does not know other methods, and helps with those of the other version',
      covers: ['ERROR-METHOD', 'VERSION-MISSING'],
      surfaces: ['JSONRPC 1.0', 'JSONRPC 0.3'],
    },
    async ({ target }) => {
      for (const [headers, method, hint] of [
        [V1, 'tasks/transmogrify', ''],
        [V1, 'message/send', '0.3'],
        [JSON_TYPE, 'tasks/transmogrify', ''],
        [JSON_TYPE, 'SendMessage', 'A2A-Version'],
        [{ ...JSON_TYPE, 'a2a-version': '' }, 'SendMessage', 'A2A-Version'],
      ] as const) {
        const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: say('complete') });
        const answer: unknown = JSON.parse((await callHttp({ url: target.jsonRpcUrl, headers, body })).body);
        expect(answer, method).toMatchObject({
          id: 1,
          error: { code: -32601, message: expect.stringContaining(hint) },
        });
      }
    },
  );

  check(
    {
      it: 'answers unknown paths and wrong methods in JSON',
      covers: ['ERROR-ROUTE'],
      surfaces: ['HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      for (const path of ['/nothing', '/tasks/a/b/c', '/tasks/a:fly']) {
        const answer = await callHttp({ url: `${target.restUrl}${path}`, headers: V1 });
        expect(answer.status, path).toBe(404);
        expect(JSON.parse(answer.body)).toMatchObject({ error: { code: 404 } });
      }
      const outside = await callHttp({ url: `${target.baseUrl}/nothing` });
      expect(outside.status).toBe(404);
      expect(JSON.parse(outside.body)).toMatchObject({ error: { code: 404 } });
      for (const [method, path, allowed] of [
        ['DELETE', '/tasks/a', 'GET'],
        ['GET', '/message:send', 'POST'],
      ] as const) {
        const answer = await callHttp({ method, url: `${target.restUrl}${path}`, headers: V1 });
        expect(answer.status, path).toBe(405);
        expect(answer.headers['allow']).toContain(allowed);
        expect(() => JSON.parse(answer.body)).not.toThrow();
      }
    },
  );

  check(
    {
      it: 'returns the id of the request, and accepts a trailing slash',
      covers: ['JSONRPC-ID', 'JSONRPC-TRAILING-SLASH', 'HTTP-CONTENT-TYPE'],
      surfaces: ['JSONRPC 1.0', 'JSONRPC 0.3'],
    },
    async ({ target }) => {
      for (const url of [target.jsonRpcUrl, `${target.jsonRpcUrl}/`]) {
        for (const id of ['text', '', 0, -5, 123_456_789]) {
          for (const [headers, method] of [
            [V1, 'GetTask'],
            [JSON_TYPE, 'tasks/get'],
          ] as const) {
            const body = JSON.stringify({ jsonrpc: '2.0', id, method, params: { id: 'none' } });
            const answer = await callHttp({ url, headers, body });
            expect(answer.headers['content-type']).toMatch(/^application\/json/);
            expect(JSON.parse(answer.body)).toMatchObject({ id, error: { code: -32001 } });
          }
        }
      }
    },
  );
});
