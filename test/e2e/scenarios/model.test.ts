import type { JsonObject, Part } from '@holdword/protocol';
import { expect } from 'vitest';
import { BINDINGS, VERSIONS } from '../../support/drivers/driver.ts';
import { callHttp } from '../../support/drivers/http-client.ts';
import { asObject } from '../../support/drivers/json-objects.ts';
import { say, sendForTask, unique } from '../conversation.ts';
import { scenarios } from '../scenarios.ts';

const HTML = 'https://example.com/page.html';

/** Collects every field name of a JSON value. */
function fieldNames(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(fieldNames);
  }
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, field]) => [name, ...fieldNames(field)])
    : [];
}

scenarios('The data model', {}, ({ scenario, check }) => {
  scenario(
    { it: 'carries text, bytes, links and data in both directions', covers: ['MODEL-PARTS'] },
    async ({ driver }) => {
      const parts: Part[] = [
        { text: 'mirror' },
        { raw: Buffer.from([0, 255, 127, 10]).toString('base64'), mediaType: 'application/octet-stream' },
        { url: HTML, mediaType: 'text/html' },
        { data: { list: [1, 2.5, true, null, { deep: 'yes' }] } },
      ];
      const task = await sendForTask(driver, say('', { parts }));
      expect(task.artifacts?.[0]?.parts).toEqual(parts);
      expect(task.history?.[0]?.parts).toEqual(parts);
    },
  );

  scenario({ it: 'carries any text', covers: ['MODEL-UNICODE'] }, async ({ driver }) => {
    const parts = [
      { text: 'mirror' },
      { text: 'line\nbreak\r\n "quote" \\ \u2028\u2029 😀 é 漢 \u0001 data: x\n\n' },
    ];
    const task = await sendForTask(driver, say('', { parts }));
    expect(task.artifacts?.[0]?.parts).toEqual(parts);
  });

  scenario({ it: 'keeps the metadata of a message', covers: ['MODEL-METADATA'] }, async ({ driver }) => {
    const metadata = { trace: 'abc', nested: { list: [1, 'two'] } };
    const task = await sendForTask(driver, say('complete', { metadata }));
    expect(task.history?.[0]?.metadata).toEqual(metadata);
  });

  scenario(
    { it: 'has no artifact without parts, whatever the agent does', covers: ['MODEL-ARTIFACT-PARTS'] },
    async ({ driver }) => {
      const task = await sendForTask(driver, say('hollow; complete'));
      expect(task.status.state).toBe('TASK_STATE_FAILED');
      expect(task.artifacts ?? []).toEqual([]);
    },
  );

  scenario(
    { it: 'has the same task on every binding', covers: ['MODEL-EQUIVALENT'] },
    async ({ driver, agent }) => {
      const { id } = await sendForTask(driver, say('status busy; artifact a x; last a y; complete done'));
      const seen = await driver.get({ id });
      for (const binding of BINDINGS) {
        for (const version of VERSIONS) {
          const other = await agent.driver({ binding, version, client: 'raw' });
          expect(await other.get({ id }), other.name).toEqual(seen);
        }
      }
    },
  );

  check(
    {
      it: 'is ProtoJSON in 1.0',
      covers: ['MODEL-PROTOJSON'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0'],
    },
    async ({ target }) => {
      const request = say('artifact a x; complete');
      const headers = { 'content-type': 'application/json', 'a2a-version': '1.0' };
      const jsonRpc = await callHttp({
        url: target.jsonRpcUrl,
        headers,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SendMessage', params: request }),
      });
      const rest = await callHttp({
        url: `${target.restUrl}/message:send`,
        headers,
        body: JSON.stringify(request),
      });
      for (const answer of [asObject(JSON.parse(jsonRpc.body))['result'], JSON.parse(rest.body)]) {
        expect(Object.keys(asObject(answer))).toEqual(['task']);
        const names = fieldNames(answer);
        expect(names).not.toContain('kind');
        expect(names.filter((name) => !/^[a-z][A-Za-z]*$/.test(name) && !name.startsWith('urn:'))).toEqual(
          [],
        );
        expect(answer).toMatchObject({
          task: { status: { state: 'TASK_STATE_COMPLETED' }, history: [{ role: 'ROLE_USER' }] },
        });
      }
    },
  );

  check(
    {
      it: 'has kinds, lower-case states and a final update in 0.3',
      covers: ['MODEL-V03-JSON'],
      surfaces: ['JSONRPC 0.3'],
    },
    async ({ target }) => {
      const message: JsonObject = {
        kind: 'message',
        messageId: unique('message'),
        role: 'user',
        parts: [{ kind: 'text', text: 'artifact a x; complete' }],
      };
      const { body } = await callHttp({
        url: target.jsonRpcUrl,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message } }),
      });
      const results = body
        .split('\n')
        .filter((line) => line.startsWith('data: '))
        .map((line) => asObject(asObject(JSON.parse(line.slice('data: '.length)))['result']));
      expect(results[0]).toMatchObject({ kind: 'task', status: { state: 'submitted' } });
      expect(results.at(-1)).toMatchObject({
        kind: 'status-update',
        status: { state: 'completed' },
        final: true,
      });
      expect(results.slice(0, -1).some((result) => result['final'] === true)).toBe(false);
    },
  );
});
