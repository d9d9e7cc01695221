import type { JsonObject, Task } from '@holdword/protocol';
import { expect } from 'vitest';
import type { Driver } from '../../support/drivers/driver.ts';
import { callHttp } from '../../support/drivers/http-client.ts';
import { artifactTexts, say, sendForTask, startWaiting, textOf, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const V1 = { versions: ['1.0'] } as const;

/** Tasks of one new context, oldest first. */
async function makeTasks(
  driver: Driver,
  count: number,
  script = 'complete',
): Promise<{ contextId: string; ids: string[] }> {
  const contextId = unique('context');
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await sendForTask(driver, say(script, { contextId }))).id);
  }
  return { contextId, ids };
}

/** All pages of a query; `between` runs after each page except the last. */
async function allPages(
  driver: Driver,
  query: JsonObject,
  between: () => Promise<unknown> = async () => {},
): Promise<Task[][]> {
  const pages: Task[][] = [];
  let pageToken = '';
  do {
    const page = await driver.list({ ...query, ...(pageToken === '' ? {} : { pageToken }) });
    pages.push(page.tasks);
    pageToken = page.nextPageToken;
    if (pageToken !== '') {
      await between();
    }
  } while (pageToken !== '');
  return pages;
}

const idsOf = (tasks: readonly Task[]): string[] => tasks.map(({ id }) => id);

scenarios('Listing tasks', {}, ({ scenario, check }) => {
  scenario(
    {
      it: 'returns the newest first, page by page, each task once',
      covers: ['LIST-ORDER', 'LIST-CURSOR', 'LIST-FIELDS', 'LIST-FILTER-CONTEXT'],
      on: V1,
    },
    async ({ driver }) => {
      const { contextId, ids } = await makeTasks(driver, 5);
      const first = await driver.list({ contextId, pageSize: 2 });
      expect(first).toMatchObject({ pageSize: 2, totalSize: 5 });
      expect(first.nextPageToken).not.toBe('');
      const pages = await allPages(driver, { contextId, pageSize: 2 });
      expect(pages.map(({ length }) => length)).toEqual([2, 2, 1]);
      expect(idsOf(pages.flat())).toEqual(ids.toReversed());
      const times = pages.flat().map(({ status }) => status.timestamp ?? '');
      expect(times).toEqual(times.toSorted().toReversed());
    },
  );

  scenario(
    { it: 'is empty and complete if nothing matches', covers: ['LIST-FIELDS'], on: V1 },
    async ({ driver }) => {
      expect(await driver.list({ contextId: unique('context') })).toEqual({
        tasks: [],
        nextPageToken: '',
        pageSize: 50,
        totalSize: 0,
      });
    },
  );

  scenario(
    {
      it: 'keeps its position when tasks move and appear between two pages',
      covers: ['LIST-CURSOR-MOVING'],
      on: { ...V1, clients: ['raw'] },
    },
    async ({ driver }) => {
      const { contextId, ids } = await makeTasks(driver, 6, 'ask more?');
      const [oldest = ''] = ids;
      let moved = false;
      const pages = await allPages(driver, { contextId, pageSize: 2 }, async () => {
        if (!moved) {
          moved = true;
          await sendForTask(driver, say('complete', { taskId: oldest, contextId }));
          await sendForTask(driver, say('complete', { contextId }));
        }
      });
      const seen = idsOf(pages.flat());
      expect(seen).toEqual(ids.toReversed().filter((id) => id !== oldest));
    },
  );

  scenario({ it: 'selects by state', covers: ['LIST-FILTER-STATUS'], on: V1 }, async ({ driver, agent }) => {
    const contextId = unique('context');
    const gate = unique('gate');
    const asked = await sendForTask(driver, say('ask what?', { contextId }));
    const ended = await sendForTask(driver, say('complete', { contextId }));
    const running = await startWaiting(driver, gate);
    await agent.gates.reached(gate);
    const inState = async (status: string): Promise<string[]> =>
      idsOf((await driver.list({ contextId, status })).tasks);
    expect(await inState('TASK_STATE_INPUT_REQUIRED')).toEqual([asked.id]);
    expect(await inState('TASK_STATE_COMPLETED')).toEqual([ended.id]);
    expect(await inState('TASK_STATE_FAILED')).toEqual([]);
    const { tasks } = await driver.list({ contextId: running.contextId, status: 'TASK_STATE_WORKING' });
    expect(idsOf(tasks)).toEqual([running.id]);
    agent.gates.open(gate);
  });

  scenario(
    { it: 'selects by the time of the status, including that moment', covers: ['LIST-FILTER-TIME'], on: V1 },
    async ({ driver }) => {
      const { contextId, ids } = await makeTasks(driver, 3);
      const { tasks } = await driver.list({ contextId });
      const middle = tasks[1]?.status.timestamp ?? '';
      const since = async (statusTimestampAfter: string): Promise<string[]> =>
        idsOf((await driver.list({ contextId, statusTimestampAfter })).tasks);
      const expected = tasks.filter(({ status }) => (status.timestamp ?? '') >= middle);
      expect(await since(middle)).toEqual(idsOf(expected));
      expect(expected.length).toBeGreaterThanOrEqual(2);
      expect(await since('2020-01-01T00:00:00Z')).toEqual(ids.toReversed());
      expect(await since(new Date(Date.parse(middle) + 86_400_000).toISOString())).toEqual([]);
    },
  );

  scenario(
    {
      it: 'returns artifacts and history only if requested',
      covers: ['LIST-ARTIFACTS-ABSENT', 'LIST-ARTIFACTS-INCLUDED', 'LIST-HISTORY-LENGTH'],
      on: V1,
    },
    async ({ driver }) => {
      const { contextId } = await makeTasks(driver, 1, 'artifact a x; complete done');
      const only = async (query: JsonObject): Promise<Task> => {
        const [task] = (await driver.list({ contextId, ...query })).tasks;
        if (task === undefined) {
          throw new Error('Expected one task');
        }
        return task;
      };
      expect(await only({})).not.toHaveProperty('artifacts');
      expect(await only({ includeArtifacts: false })).not.toHaveProperty('artifacts');
      expect(artifactTexts(await only({ includeArtifacts: true }))).toEqual({ a: 'x' });
      expect(await only({ historyLength: 0 })).not.toHaveProperty('history');
      const withHistory = await only({ historyLength: 1 });
      expect(withHistory.history).toHaveLength(1);
      expect(withHistory).not.toHaveProperty('artifacts');
      expect(await only({ includeArtifacts: true })).not.toHaveProperty('history');
      expect(textOf((await only({ historyLength: 10 })).history?.[0]?.parts ?? [])).toBe(
        'artifact a x; complete done',
      );
    },
  );

  scenario(
    { it: 'has 50 tasks on a page by default, 100 at most', covers: ['LIST-PAGE-SIZE-DEFAULT'], on: V1 },
    async ({ driver }) => {
      const contextId = unique('context');
      await Promise.all(Array.from({ length: 51 }, () => driver.send(say('complete', { contextId }))));
      const page = await driver.list({ contextId });
      expect(page).toMatchObject({ pageSize: 50, totalSize: 51 });
      expect(page.tasks).toHaveLength(50);
      expect((await driver.list({ contextId, pageSize: 100 })).tasks).toHaveLength(51);
    },
  );

  for (const pageSize of [0, -1, 101]) {
    scenario(
      {
        it: `rejects a page size of ${pageSize}`,
        covers: ['LIST-PAGE-SIZE-RANGE'],
        on: { ...V1, clients: ['raw'] },
      },
      async ({ driver }) => {
        const error = await expectError(driver, 'INVALID_PARAMS', driver.list({ pageSize }));
        expect(error.fields).toEqual(['pageSize']);
      },
    );
  }

  for (const pageToken of ['not a token', 'AAAA', Buffer.from('[1]').toString('base64url')]) {
    scenario(
      { it: `rejects the page token "${pageToken}"`, covers: ['LIST-CURSOR-INVALID'], on: V1 },
      async ({ driver }) => {
        const error = await expectError(driver, 'INVALID_PARAMS', driver.list({ pageToken }));
        if (driver.client === 'raw') {
          expect(error.fields).toEqual(['pageToken']);
        }
      },
    );
  }

  check(
    {
      it: 'is not an operation of 0.3',
      covers: ['LIST-ABSENT-V03'],
      surfaces: ['JSONRPC 0.3', 'HTTP+JSON 0.3'],
    },
    async ({ target }) => {
      const jsonRpc = await callHttp({
        url: target.jsonRpcUrl,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tasks/list', params: {} }),
      });
      expect(JSON.parse(jsonRpc.body)).toMatchObject({ id: 1, error: { code: -32601 } });
      const rest = await callHttp({ url: `${target.restUrl}/v1/tasks` });
      expect(rest.status).toBe(404);
    },
  );
});
