import { IDEMPOTENCY_EXTENSION, RESUME_EXTENSION } from '@holdword/protocol';
import { expect } from 'vitest';
import { callHttp } from '../../support/drivers/http-client.ts';
import { say, sendForTask } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const RAW_V1 = { versions: ['1.0'], clients: ['raw'] } as const;
const JSON_TYPE = { 'content-type': 'application/json' };

scenarios('Versions and extensions', {}, ({ scenario, check }) => {
  for (const version of ['1.0', '1.0.0', '1.0.7']) {
    scenario(
      { it: `treats version ${version} as 1.0`, covers: ['VERSION-PATCH'], on: RAW_V1 },
      async ({ driver }) => {
        const task = await sendForTask(driver, say('complete'), { headers: { 'a2a-version': version } });
        expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      },
    );
  }

  for (const version of ['9.9', '0.1', '2.0', 'latest']) {
    scenario(
      { it: `rejects version ${version} and names its own`, covers: ['VERSION-UNSUPPORTED'], on: RAW_V1 },
      async ({ driver }) => {
        const error = await expectError(
          driver,
          'VERSION_NOT_SUPPORTED',
          driver.send(say('complete'), { headers: { 'a2a-version': version } }),
        );
        expect(error.message).toContain('1.0');
        expect(error.message).toContain('0.3');
      },
    );
  }

  check(
    {
      it: 'reads the version from the query',
      covers: ['VERSION-QUERY'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      const jsonRpc = await callHttp({
        url: `${target.jsonRpcUrl}?A2A-Version=1.0`,
        headers: JSON_TYPE,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: say('complete') }),
      });
      expect(JSON.parse(jsonRpc.body)).toMatchObject({
        result: { task: { status: { state: 'TASK_STATE_COMPLETED' } } },
      });
      const rest = await callHttp({ url: `${target.restUrl}/tasks?A2A-Version=1.0&pageSize=1` });
      expect(rest.status).toBe(200);
      expect(JSON.parse(rest.body)).toMatchObject({ pageSize: 1 });
    },
  );

  check(
    {
      it: 'treats a request without a version as 0.3',
      covers: ['VERSION-MISSING'],
      surfaces: ['JSONRPC 0.3', 'HTTP+JSON 0.3', 'JSONRPC 1.0', 'HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      const message = {
        kind: 'message',
        messageId: 'm',
        role: 'user',
        parts: [{ kind: 'text', text: 'complete' }],
      };
      for (const headers of [
        JSON_TYPE,
        { ...JSON_TYPE, 'a2a-version': '' },
        { ...JSON_TYPE, 'a2a-version': '0.3' },
      ]) {
        const answer = await callHttp({
          url: target.jsonRpcUrl,
          headers,
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/send', params: { message } }),
        });
        expect(JSON.parse(answer.body)).toMatchObject({
          result: { kind: 'task', status: { state: 'completed' } },
        });
        const v03 = await callHttp({ url: `${target.restUrl}/v1/tasks/none`, headers });
        expect(JSON.parse(v03.body)).toMatchObject({ code: -32001 });
        const v1 = await callHttp({ url: `${target.restUrl}/tasks`, headers });
        expect(v1.status).toBe(400);
        expect(JSON.parse(v1.body)).toMatchObject({
          error: { details: [{ reason: 'VERSION_NOT_SUPPORTED' }] },
        });
      }
    },
  );

  scenario({ it: 'ignores an unknown extension', covers: ['EXTENSIONS-UNKNOWN'] }, async ({ driver }) => {
    const name = driver.version === '1.0' ? 'a2a-extensions' : 'x-a2a-extensions';
    const headers = { [name]: 'https://example.com/unknown/v1' };
    const task = await sendForTask(driver, say('complete'), { headers });
    expect(task.status.state).toBe('TASK_STATE_COMPLETED');
  });

  check(
    {
      it: 'names the active extensions',
      covers: ['EXTENSIONS-ACTIVATED'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      const asked = `${RESUME_EXTENSION}, https://example.com/unknown/v1, ${IDEMPOTENCY_EXTENSION}`;
      const headers = { ...JSON_TYPE, 'a2a-version': '1.0', 'a2a-extensions': asked };
      const jsonRpc = await callHttp({
        url: target.jsonRpcUrl,
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: say('complete') }),
      });
      const rest = await callHttp({
        url: `${target.restUrl}/message:send`,
        headers,
        body: JSON.stringify(say('complete')),
      });
      for (const answer of [jsonRpc, rest]) {
        const activated = (answer.headers['a2a-extensions'] ?? '').split(/\s*,\s*/);
        expect(activated.toSorted()).toEqual([IDEMPOTENCY_EXTENSION, RESUME_EXTENSION]);
      }
    },
  );
});
