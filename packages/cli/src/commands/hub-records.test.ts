import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hubClient } from '@holdword/hub/testing';
import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, test } from 'vitest';
import { makeHoldwordFolder, type HoldwordFolder } from '../testing/holdword-folder.ts';
import { urlOf } from '../testing/talk.ts';

const postgres = usePostgres();
const BACKENDS: Record<string, () => Record<string, string>> = {
  sqlite: () => ({}),
  postgres: () => ({ HOLDWORD_STORE: postgres().url, HOLDWORD_STORE_SCHEMA: postgres().newSchema() }),
};

const ASK = { message: { parts: [{ kind: 'text', text: 'ask me' }] } };

/** A server with a hub, and two of its agents. */
async function startFleet(folder: HoldwordFolder) {
  const hub = hubClient(await urlOf(folder.serve('--hub')));
  const register = async (agentId: string, more: Record<string, unknown> = {}) => {
    const { body } = await hub.rpc('agents/register', { agent_id: agentId, ...more });
    const { token } = (body['result'] as { identity_auth: { token: string } }).identity_auth;
    return { 'x-delx-agent-id': agentId, 'x-delx-agent-token': token };
  };
  const runner = await register('runner-01', { agent_name: 'evil\u001B[31m name' });
  const other = await register('runner-02');
  const metrics = { errors_last_hour: 3, latency_ms_p95: 1450, queue_depth: 9 };
  await hub.rpc('heartbeat/bundle', metrics, runner);
  await hub.rpc('message/send', ASK, runner);
  const offer = await hub.rpc('handoff/offer', { to_agent_id: 'runner-02' }, runner);
  const { handoff_id: handoffId } = offer.body['result'] as { handoff_id: string };
  return { hub, runner, other, handoffId };
}

async function json(folder: HoldwordFolder, ...words: string[]): Promise<Record<string, never>> {
  const { code, output, stdout } = await folder.run(...words, '--json');
  expect(code, output).toBe(0);
  return JSON.parse(stdout) as Record<string, never>;
}

test.each(Object.entries(BACKENDS))(
  'on %s an operator sees agents, sessions and hand-offs of a running hub, and blocks, rotates and deletes an agent',
  { timeout: 180_000 },
  async (backend, environment) => {
    const folder = await makeHoldwordFolder(environment());
    const { hub, runner, other, handoffId } = await startFleet(folder);
    const list = await folder.run('hub', 'agents', 'list');
    expect(list.output).toMatch(
      /^AGENT +STATUS +HEALTH +LAST SEEN +ERRORS +P95 MS +QUEUE +CONTROLLER +REGISTERED BY\n/,
    );
    expect(list.output).toMatch(/\nrunner-01 +active +steady +\S+Z +3 +1450 +9\n/);
    expect(list.output).not.toContain('\u001B');
    const first = await json(folder, 'hub', 'agents', 'list', '--limit', '1');
    expect(first).toMatchObject({ agents: [{ agent_id: 'runner-01' }], next_cursor: 'runner-01' });
    const second = await json(folder, 'hub', 'agents', 'list', '--cursor', 'runner-01');
    expect(second).toMatchObject({ agents: [{ agent_id: 'runner-02' }], next_cursor: null });
    expect((await folder.run('hub', 'agents', 'list', '--health', 'missing')).output).toBe(
      'There are no agents to show.\n',
    );
    const shown = await folder.run('hub', 'agents', 'show', 'runner-01');
    expect(shown.output).toContain('evil\u{FFFD}[31m name');
    expect(shown.output).toMatch(/\nHOUR +HEARTBEATS +ERRORS +P95 MS +QUEUE\n\S+Z +1 +3 +1450 +9\n/);
    expect(await json(folder, 'hub', 'sessions', 'list', '--agent', 'runner-01')).toMatchObject({
      sessions: [{ agent_id: 'runner-01', status: 'active' }],
    });
    expect(await json(folder, 'hub', 'handoffs', 'show', handoffId)).toMatchObject({ status: 'offered' });
    expect(await json(folder, 'hub', 'alarms', 'list')).toEqual({ alarms: [], next_cursor: null });

    expect(await folder.run('hub', 'agents', 'block', 'runner-02', '--reason', 'leaked')).toMatchObject({
      code: 0,
      output: 'Blocked agent runner-02. Hand-offs that ended or were released: 1.\n',
    });
    expect((await hub.rpc('message/send', ASK, other)).status).toBe(401);
    expect(await json(folder, 'hub', 'handoffs', 'list', '--status', 'declined')).toMatchObject({
      handoffs: [{ handoff_id: handoffId }],
    });
    await folder.run('hub', 'agents', 'unblock', 'runner-02');
    expect((await hub.rpc('message/send', ASK, other)).status).toBe(200);

    const { token } = await json(folder, 'hub', 'agents', 'rotate', 'runner-01');
    expect((await hub.rpc('message/send', ASK, runner)).status).toBe(401);
    const rotated = { ...runner, 'x-delx-agent-token': String(token) };
    expect((await hub.rpc('message/send', ASK, rotated)).status).toBe(200);
    expect((await folder.run('hub', 'agents', 'delete', 'runner-01')).output).toBe(
      'Deleted agent runner-01.\n',
    );
    expect((await hub.rpc('message/send', ASK, rotated)).status).toBe(401);
    const audited = await readFile(join(folder.path, '.holdword', 'audit.jsonl'), 'utf8');
    for (const event of ['agent-blocked', 'agent-unblocked', 'agent-token-rotated', 'agent-deleted'])
      expect(audited, backend).toMatch(new RegExp(`"event":"${event}".*"by":"command line"`));
  },
);

test('what is wrong is said with the exit codes of all commands', { timeout: 120_000 }, async () => {
  const folder = await makeHoldwordFolder();
  expect(await folder.run('hub', 'agents', 'list')).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no data in') as string,
  });
  const server = folder.serve('--hub');
  await urlOf(server);
  expect(await folder.run('hub', 'agents', 'show', 'nobody')).toMatchObject({
    code: 1,
    output: expect.stringContaining('There is no agent nobody.') as string,
  });
  expect(await folder.run('hub', 'agents', 'list', '--status', 'odd')).toMatchObject({
    code: 2,
    output: expect.stringContaining(
      'Expected status to be one of active, blocked, deleted, found "odd".',
    ) as string,
  });
  expect(await folder.run('hub', 'agents')).toMatchObject({
    code: 2,
    output: expect.stringContaining('Missing subcommand: use holdword hub agents list, ') as string,
  });
  expect(await folder.run('hub', 'agents', '--help')).toMatchObject({
    code: 0,
    output: expect.stringContaining('Usage: holdword hub agents COMMAND [options]') as string,
  });
});
