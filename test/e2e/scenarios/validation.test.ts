import type { JsonObject } from '@holdword/protocol';
import { expect } from 'vitest';
import type { DriverTarget } from '../../support/drivers/driver.ts';
import { callHttp } from '../../support/drivers/http-client.ts';
import { say, sendForTask } from '../conversation.ts';
import { expectError, expectStreamError } from '../expect-error.ts';
import type { RequirementId } from '../requirements.ts';
import { scenarios, type Selection } from '../scenarios.ts';

const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'complete' }] };
const without = (name: keyof typeof message): JsonObject => {
  const { [name]: _, ...rest } = message;
  return rest;
};

const RAW = { clients: ['raw'] } as const satisfies Selection;
const JSON_V1 = {
  clients: ['raw'],
  versions: ['1.0'],
  bindings: ['JSONRPC', 'HTTP+JSON'],
} as const satisfies Selection;

interface Malformed {
  what: string;
  covers: RequirementId;
  request: JsonObject;
  /** The field that 1.0 names. */
  field: string;
  on?: Selection;
}

const MALFORMED: Malformed[] = [
  { what: 'no message', covers: 'VALID-MESSAGE', request: {}, field: 'message' },
  {
    what: 'no messageId',
    covers: 'VALID-MESSAGE-ID',
    request: { message: without('messageId') },
    field: 'message.messageId',
  },
  {
    what: 'an empty messageId',
    covers: 'VALID-MESSAGE-ID',
    request: { message: { ...message, messageId: '' } },
    field: 'message.messageId',
  },
  { what: 'no role', covers: 'VALID-ROLE', request: { message: without('role') }, field: 'message.role' },
  {
    what: 'an unknown role',
    covers: 'VALID-ROLE',
    request: { message: { ...message, role: 'ROLE_PRESIDENT' } },
    field: 'message.role',
  },
  {
    what: 'the role of 0.3',
    covers: 'VALID-ROLE',
    request: { message: { ...message, role: 'user' } },
    field: 'message.role',
    on: JSON_V1,
  },
  { what: 'no parts', covers: 'VALID-PARTS', request: { message: without('parts') }, field: 'message.parts' },
  {
    what: 'empty parts',
    covers: 'VALID-PARTS',
    request: { message: { ...message, parts: [] } },
    field: 'message.parts',
  },
  {
    what: 'a part without content',
    covers: 'VALID-PART',
    request: { message: { ...message, parts: [{ text: 'a' }, {}] } },
    field: 'message.parts[1]',
  },
  {
    what: 'a part with two contents',
    covers: 'VALID-PART-SEVERAL',
    request: { message: { ...message, parts: [{ text: 'a', url: 'https://example.com' }] } },
    field: 'message.parts[0]',
    on: JSON_V1,
  },
  {
    what: 'raw that is not base64',
    covers: 'VALID-RAW',
    request: { message: { ...message, parts: [{ raw: 'no base64!' }] } },
    field: 'message.parts[0].raw',
    on: JSON_V1,
  },
  {
    what: 'a number as messageId',
    covers: 'VALID-TYPES',
    request: { message: { ...message, messageId: 5 } },
    field: 'message.messageId',
    on: JSON_V1,
  },
  {
    what: 'a text as parts',
    covers: 'VALID-TYPES',
    request: { message: { ...message, parts: 'hello' } },
    field: 'message.parts',
    on: JSON_V1,
  },
  {
    what: 'a list as metadata',
    covers: 'VALID-TYPES',
    request: { message: { ...message, metadata: [1] } },
    field: 'message.metadata',
    on: JSON_V1,
  },
  {
    what: 'a text as returnImmediately',
    covers: 'VALID-TYPES',
    request: { message, configuration: { returnImmediately: 'yes' } },
    field: 'configuration.returnImmediately',
    on: JSON_V1,
  },
  {
    what: 'a negative historyLength',
    covers: 'VALID-HISTORY-LENGTH',
    request: { message, configuration: { historyLength: -1 } },
    field: 'configuration.historyLength',
    // The SDK's 0.3 gRPC service drops this field before it can be checked.
    on: { ...RAW, except: ['GRPC 0.3'] },
  },
  {
    what: 'a broken historyLength',
    covers: 'VALID-HISTORY-LENGTH',
    request: { message, configuration: { historyLength: 1.5 } },
    field: 'configuration.historyLength',
    on: JSON_V1,
  },
];

async function post(url: string, version: string, body: Uint8Array): Promise<string> {
  const headers = { 'content-type': 'application/json', 'a2a-version': version };
  return (await fetch(url, { method: 'POST', headers, body })).text();
}

/** Where a message is sent, with JSON-RPC and with REST. */
function sendUrls({ jsonRpcUrl, restUrl }: DriverTarget, version: string): string[] {
  return [jsonRpcUrl, `${restUrl}${version === '0.3' ? '/v1' : ''}/message:send`];
}

scenarios('Strict requests', {}, ({ scenario, check }) => {
  for (const { what, covers, request, field, on = RAW } of MALFORMED) {
    scenario({ it: `reject ${what}`, covers: [covers, 'ERROR-FIELDS'], on }, async ({ driver }) => {
      const error = await expectError(driver, 'INVALID_PARAMS', driver.send(request));
      if (driver.version === '1.0') {
        expect(error.fields).toEqual([field]);
      }
      await expectStreamError(driver, 'INVALID_PARAMS', driver.stream(request));
    });
  }

  scenario(
    { it: 'name every invalid field at once', covers: ['ERROR-FIELDS'], on: { ...RAW, versions: ['1.0'] } },
    async ({ driver }) => {
      const request = { message: { messageId: '', role: 'ROLE_USER', parts: [] } };
      const error = await expectError(driver, 'INVALID_PARAMS', driver.send(request));
      expect(error.fields.toSorted()).toEqual(['message.messageId', 'message.parts']);
    },
  );

  scenario(
    { it: 'name some fields if thousands are invalid', covers: ['VALID-PART', 'ERROR-FIELDS'], on: RAW },
    async ({ driver }) => {
      const parts = Array.from({ length: 30_000 }, () => ({}));
      const error = await expectError(
        driver,
        'INVALID_PARAMS',
        driver.send({ message: { ...message, parts } }),
      );
      expect(error.message.length).toBeLessThan(1_000);
      if (driver.version === '1.0') {
        expect(error.fields).toEqual(Array.from({ length: 20 }, (_, index) => `message.parts[${index}]`));
      }
    },
  );

  check(
    {
      it: 'reject JSON that is nested too deeply, and keep working',
      covers: ['VALID-DEPTH'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'],
    },
    async ({ target }) => {
      const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
      const body = `{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[{"data":${deep}}]}}}`;
      for (const version of ['1.0', '0.3']) {
        for (const url of sendUrls(target, version)) {
          const headers = { 'content-type': 'application/json', 'a2a-version': version };
          const answer = await callHttp({ url, headers, body });
          expect(answer.body, `${url} ${version}`).toContain('nested too deeply (limit: 100 levels)');
        }
      }
    },
  );

  check(
    {
      it: 'reject bytes that are not UTF-8, and skip a byte order mark',
      covers: ['VALID-UTF8'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'],
    },
    async ({ target }) => {
      for (const version of ['1.0', '0.3']) {
        for (const url of sendUrls(target, version)) {
          const wrong = Buffer.from('{"text":"\u00ff"}', 'latin1');
          expect(await post(url, version, wrong), `${url} ${version}`).toContain('UTF-8');
        }
      }
      const marked = Buffer.from(`\ufeff${JSON.stringify(say('complete'))}`);
      expect(await post(`${target.restUrl}/message:send`, '1.0', marked)).toContain('TASK_STATE_COMPLETED');
    },
  );

  scenario(
    { it: 'reject a negative historyLength of GetTask', covers: ['VALID-HISTORY-LENGTH'], on: RAW },
    async ({ driver }) => {
      const { id } = await sendForTask(driver, say('complete'));
      const error = await expectError(driver, 'INVALID_PARAMS', driver.get({ id, historyLength: -1 }));
      if (driver.version === '1.0') {
        expect(error.fields).toEqual(['historyLength']);
      }
    },
  );

  check(
    { it: 'read query parameters strictly', covers: ['VALID-QUERY'], surfaces: ['HTTP+JSON 1.0'] },
    async ({ target }) => {
      for (const [query, field] of [
        ['pageSize=ten', 'pageSize'],
        ['pageSize=1.5', 'pageSize'],
        ['includeArtifacts=True', 'includeArtifacts'],
        ['includeArtifacts=1', 'includeArtifacts'],
        ['status=completed', 'status'],
        ['status=99', 'status'],
        ['state=TASK_STATE_COMPLETED', 'state'],
        ['context_ID=c', 'context_ID'],
        ['statusTimestampAfter=yesterday', 'statusTimestampAfter'],
        ['historyLength=-1', 'historyLength'],
        ['historyLength=x', 'historyLength'],
      ] as const) {
        const answer = await callHttp({
          url: `${target.restUrl}/tasks?${query}`,
          headers: { 'a2a-version': '1.0' },
        });
        expect(answer.status, query).toBe(400);
        expect(answer.body, query).toContain(`"field":"${field}"`);
      }
      const fine = await callHttp({
        url: `${target.restUrl}/tasks?pageSize=3&includeArtifacts=true&status=TASK_STATE_COMPLETED&historyLength=2`,
        headers: { 'a2a-version': '1.0' },
      });
      expect(fine.status).toBe(200);
      expect(JSON.parse(fine.body)).toMatchObject({ pageSize: 3 });
    },
  );
});
