import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { expect, onTestFinished, test, vi } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { type PeerAnswer, type PeerRequest, startPeer } from '../testing/start-peer.ts';
import { A2ATools } from '../tools/a2a-tools.ts';
import { expiryOf, type StoredTask } from './mcp-task-store.ts';
import { McpTasks, type McpTaskOptions, type TaskCall, type TaskSnapshot } from './mcp-tasks.ts';
import { TaskRun } from './task-run.ts';

const OWNER = 'ada';
const CALL: TaskCall = {
  agentId: 'agent',
  outgoing: { parts: [{ text: 'hello' }] },
  asking: { form: true, url: true },
};
const IDEMPOTENT = {
  capabilities: {
    streaming: false,
    extensions: [{ uri: 'urn:holdword:a2a:idempotency:v1' }],
  },
};

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-tasks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** An agent whose only task has the state that the test sets. */
class Agent {
  readonly sent: PeerRequest['params'][] = [];
  canceled = 0;
  cancelable = true;
  isDown = false;
  refused = 0;
  /** What a message does. */
  onMessage: () => PeerAnswer | Promise<PeerAnswer> = () => ({ result: { task: this.task } });
  #status: JsonObject = { state: 'TASK_STATE_WORKING', timestamp: new Date(0).toISOString() };
  #changes = 0;

  get task(): JsonObject {
    return { id: 't-1', contextId: 'c-1', status: this.#status };
  }

  become(state: string, text?: string): void {
    this.#changes += 1;
    this.#status = {
      state: `TASK_STATE_${state}`,
      timestamp: new Date(this.#changes * 1000).toISOString(),
      ...(text !== undefined && {
        message: { messageId: randomUUID(), role: 'ROLE_AGENT', parts: [{ text }] },
      }),
    };
  }

  answer = async ({ method, params }: PeerRequest): Promise<PeerAnswer> => {
    if (this.isDown) {
      this.refused += 1;
      return { status: 503, text: '' };
    }
    if (method === 'SendMessage') {
      this.sent.push(asObject(params['message']));
      return this.onMessage();
    }
    if (method === 'CancelTask') {
      this.canceled += 1;
      if (!this.cancelable) return { error: { code: -32002, message: 'It cannot be canceled.' } };
      this.become('CANCELED');
    }
    return { result: this.task };
  };
}

interface Scene {
  readonly agent: Agent;
  readonly folder: string;
  /** What another process sees. */
  readonly open: (options?: Partial<McpTaskOptions>) => McpTasks;
}

async function openScene(card: JsonObject = IDEMPOTENT): Promise<Scene> {
  const agent = new Agent();
  const { url } = await startPeer({ version: '1.0', card, answer: agent.answer });
  const folder = await temporaryFolder();
  return {
    agent,
    folder,
    open(options = {}) {
      const agents = new A2AAgents({ agent: { url } });
      const session = new A2ASession(agents, { getTaskPollInterval: 0.05 });
      const tasks = new McpTasks({ folder, tools: new A2ATools(session), onResult: () => {}, ...options });
      onTestFinished(async () => {
        await tasks.close();
        agents.close();
      });
      return tasks;
    },
  };
}

async function create(tasks: McpTasks, call = CALL): Promise<string> {
  const created = await tasks.create(OWNER, call);
  if (created === undefined) throw new Error('Expected a task.');
  return created.task.taskId;
}

/** Polls like a host. */
async function until(
  tasks: McpTasks,
  taskId: string,
  isReached: (snapshot: TaskSnapshot<StoredTask>) => unknown,
): Promise<TaskSnapshot<StoredTask>> {
  return vi.waitUntil(
    async () => {
      const snapshot = await tasks.get(OWNER, taskId);
      return snapshot !== undefined && isReached(snapshot) ? snapshot : undefined;
    },
    { timeout: 20_000, interval: 20 },
  );
}

const isAsked = ({ task }: TaskSnapshot) => task.question;
const hasEnded = ({ task }: TaskSnapshot) => task.end;

function resultIn({ task: { end } }: TaskSnapshot): JsonObject {
  if (end?.status !== 'completed') throw new Error(`Expected a result, found ${JSON.stringify(end)}`);
  const [content] = end.result['content'] as { text: string }[];
  return JSON.parse(content?.text ?? '') as JsonObject;
}

function accept(answer: string) {
  return { action: 'accept', content: { answer } };
}

test('a task is on disk before its id is known', async () => {
  const { open, folder, agent } = await openScene();
  agent.onMessage = () => new Promise(() => {});
  const taskId = await create(open());
  const stored = JSON.parse(await readFile(join(folder, `${taskId}.json`), 'utf8')) as JsonObject;
  expect(stored).toMatchObject({ taskId, owner: OWNER, outgoing: { parts: [{ text: 'hello' }] } });
});

test('a question is answered once, however often the host sends its answer', async () => {
  const { open, agent } = await openScene();
  const tasks = open();
  agent.become('INPUT_REQUIRED', 'Who?');
  const taskId = await create(tasks);
  const { task } = await until(tasks, taskId, isAsked);
  expect(task.question?.key).toBe('question-1');
  // Nothing happens for keys that are not open, and for a part of the answers.
  expect(await tasks.update(OWNER, taskId, {})).toBe(true);
  expect(await tasks.update(OWNER, taskId, { 'question-2': accept('no'), constructor: accept('no') })).toBe(
    true,
  );
  expect((await tasks.get(OWNER, taskId))?.task.question?.key).toBe('question-1');
  await expect(tasks.update(OWNER, taskId, { 'question-1': accept('') })).rejects.toThrow(/answer: /);
  agent.onMessage = () => {
    agent.become('WORKING');
    return { result: { task: agent.task } };
  };
  const answers = { 'question-1': accept('Ada') };
  await Promise.all([1, 2, 3].map(() => tasks.update(OWNER, taskId, answers)));
  await vi.waitUntil(() => agent.sent.length === 2);
  await until(tasks, taskId, ({ task: { outgoing } }) => outgoing === undefined);
  agent.become('INPUT_REQUIRED', 'Where?');
  const again = await until(tasks, taskId, isAsked);
  expect(again.task.question?.key).toBe('question-2');
  await tasks.update(OWNER, taskId, answers);
  agent.onMessage = () => {
    agent.become('COMPLETED', 'Done.');
    return { result: { task: agent.task } };
  };
  await tasks.update(OWNER, taskId, { 'question-2': accept('Bern') });
  expect(resultIn(await until(tasks, taskId, hasEnded))).toMatchObject({ status: { message: 'Done.' } });
  expect(agent.sent.map(({ parts, taskId: to, contextId }) => ({ parts, to, contextId }))).toEqual([
    { parts: [{ text: 'hello' }], to: undefined, contextId: expect.any(String) as string },
    { parts: [{ text: 'Ada' }], to: 't-1', contextId: 'c-1' },
    { parts: [{ text: 'Bern' }], to: 't-1', contextId: 'c-1' },
  ]);
});

test('a message that was on its way when the process ended has the same id in the next one', async () => {
  const { open, agent } = await openScene();
  const before = open();
  agent.onMessage = () => 'no response';
  const taskId = await create(before);
  await vi.waitUntil(() => agent.sent.length > 0);
  await before.close();
  agent.become('INPUT_REQUIRED', 'Who?');
  agent.onMessage = () => ({ result: { task: agent.task } });
  const after = open();
  agent.isDown = true;
  await until(after, taskId, () => agent.refused > 0);
  agent.isDown = false;
  await until(after, taskId, isAsked);
  agent.onMessage = () => 'no response';
  const sent = agent.sent.length;
  await after.update(OWNER, taskId, { 'question-1': accept('Ada') });
  await vi.waitUntil(() => agent.sent.length > sent);
  await after.close();
  agent.become('COMPLETED');
  agent.onMessage = () => ({ result: { task: agent.task } });
  const last = open();
  await until(last, taskId, hasEnded);
  const ids = (text: string) =>
    new Set(
      agent.sent.filter(({ parts }) => JSON.stringify(parts).includes(text)).map((each) => each['messageId']),
    );
  expect([ids('hello').size, ids('Ada').size]).toEqual([1, 1]);
  expect(agent.sent.length).toBeGreaterThanOrEqual(4);
});

test('an agent that does not recognize messages is not sent one again that it may have', async () => {
  const { open, agent } = await openScene({ capabilities: { streaming: false } });
  const before = open();
  agent.onMessage = () => 'no response';
  const lost = await create(before);
  await vi.waitUntil(() => agent.sent.length === 1);
  agent.become('INPUT_REQUIRED', 'Who?');
  agent.onMessage = () => ({ result: { task: agent.task } });
  const asked = await create(before);
  await until(before, asked, isAsked);
  agent.onMessage = () => 'no response';
  await before.update(OWNER, asked, { 'question-1': accept('Ada') });
  await vi.waitUntil(() => agent.sent.length === 3);
  await before.close();

  const after = open();
  const outcome = resultIn(await until(after, lost, hasEnded));
  expect(outcome).toEqual({
    error: true,
    error_message: expect.stringMatching(
      /^This server was stopped while the message was being sent\. It is not known whether the message arrived\. Do not send it again/,
    ),
  });
  expect(agent.sent).toHaveLength(3);
  // The question is still open, so the answer has not arrived.
  agent.onMessage = () => {
    agent.become('COMPLETED');
    return { result: { task: agent.task } };
  };
  expect(resultIn(await until(after, asked, hasEnded))).toMatchObject({ status: { state: 'completed' } });
  expect(agent.sent).toHaveLength(4);
});

test('an answer that the agent has is not sent again', async () => {
  const { open, agent } = await openScene({ capabilities: { streaming: false } });
  const before = open();
  agent.become('INPUT_REQUIRED', 'Who?');
  const taskId = await create(before);
  await until(before, taskId, isAsked);
  agent.onMessage = () => {
    agent.become('COMPLETED', 'Hello Ada.');
    return 'no response';
  };
  await before.update(OWNER, taskId, { 'question-1': accept('Ada') });
  await vi.waitUntil(() => agent.sent.length === 2);
  await before.close();
  const after = open();
  const { status } = resultIn(await until(after, taskId, hasEnded));
  expect(status).toMatchObject({ state: 'completed', message: 'Hello Ada.' });
  expect(agent.sent).toHaveLength(2);
});

test('a declined question is returned to the model, as without tasks', async () => {
  const { open, agent } = await openScene();
  const tasks = open();
  agent.become('INPUT_REQUIRED', 'Who?');
  const taskId = await create(tasks);
  await until(tasks, taskId, isAsked);
  await tasks.update(OWNER, taskId, { 'question-1': { action: 'decline' } });
  const { status } = resultIn(await until(tasks, taskId, hasEnded));
  expect(status).toEqual({ state: 'input-required', message: 'Who?' });
  expect(agent.sent).toHaveLength(1);
});

test('a host that cannot ask its user gets the question as a result', async () => {
  const { open, agent } = await openScene();
  const tasks = open();
  agent.become('INPUT_REQUIRED', 'Who?');
  const taskId = await create(tasks, { ...CALL, asking: { form: false, url: true } });
  const { status } = resultIn(await until(tasks, taskId, hasEnded));
  expect(status).toEqual({ state: 'input-required', message: 'Who?' });
});

test('a question that was answered elsewhere is no longer asked', async () => {
  const { open, agent } = await openScene();
  agent.become('INPUT_REQUIRED', 'Who?');
  const before = open();
  const taskId = await create(before);
  await until(before, taskId, isAsked);
  await before.close();
  agent.become('COMPLETED', 'I know.');
  const { status } = resultIn(await until(open(), taskId, hasEnded));
  expect(status).toMatchObject({ message: 'I know.' });
});

test('a task waits while its agent cannot be reached', async () => {
  const { open, agent } = await openScene();
  const tasks = open();
  const taskId = await create(tasks);
  await until(tasks, taskId, ({ task }) => task.remote);
  await tasks.close();
  agent.isDown = true;
  const after = open();
  const { task } = await until(after, taskId, ({ statusMessage }) => statusMessage !== undefined);
  expect(task.end).toBeUndefined();
  agent.become('COMPLETED', 'Back.');
  agent.isDown = false;
  expect(resultIn(await until(after, taskId, hasEnded))).toMatchObject({ status: { message: 'Back.' } });
});

test('an agent that does not cancel is followed to its end', async () => {
  const { open, agent } = await openScene();
  const tasks = open();
  agent.cancelable = false;
  const taskId = await create(tasks);
  expect(await tasks.cancel(OWNER, taskId)).toBe(true);
  await until(tasks, taskId, ({ task }) => task.cancel === 'refused');
  expect(await tasks.cancel(OWNER, taskId)).toBe(true);
  agent.become('COMPLETED', 'Too late.');
  expect(resultIn(await until(tasks, taskId, hasEnded))).toMatchObject({ status: { message: 'Too late.' } });
  expect(agent.canceled).toBe(1);
});

test('a task is canceled whose agent has not answered yet, and one that asks', async () => {
  const { open, agent } = await openScene();
  const tasks = open();
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  agent.onMessage = async () => {
    await answered;
    return { result: { task: agent.task } };
  };
  const early = await create(tasks);
  await vi.waitUntil(() => agent.sent.length === 1);
  await tasks.cancel(OWNER, early);
  answer();
  expect((await until(tasks, early, hasEnded)).task.end).toEqual({ status: 'cancelled' });
  agent.become('INPUT_REQUIRED', 'Who?');
  const asking = await create(tasks);
  await until(tasks, asking, isAsked);
  await tasks.cancel(OWNER, asking);
  expect((await until(tasks, asking, hasEnded)).task.end).toEqual({ status: 'cancelled' });
});

test('a timeout that the model chose ends the wait, not the task of the agent', async () => {
  const { open } = await openScene();
  const tasks = open();
  const taskId = await create(tasks, { ...CALL, timeoutSeconds: 1 });
  const { status } = resultIn(await until(tasks, taskId, hasEnded));
  expect(status).toMatchObject({ state: 'working' });
});

test('a task is gone when its time is over, and so is its file', async () => {
  const { open, folder, agent } = await openScene();
  agent.become('COMPLETED');
  const tasks = open({ ttl: 1, maxTasks: 1 });
  const taskId = await create(tasks);
  // There is no room for another task, and this one was promised.
  expect(await tasks.create(OWNER, CALL)).toBeUndefined();
  await vi.waitUntil(async () => (await tasks.get(OWNER, taskId)) === undefined, { timeout: 10_000 });
  expect(Date.now()).toBeGreaterThanOrEqual(expiryOf(taskId) ?? Infinity);
  expect(await tasks.cancel(OWNER, taskId)).toBe(false);
  const next = await create(tasks);
  expect(await readdir(folder)).toEqual([`${next}.json`]);
});

test('a task that cannot be stored fails with an error of this server', async () => {
  const { url } = await startPeer({ version: '1.0', card: IDEMPOTENT, answer: new Agent().answer });
  const agents = new A2AAgents({ agent: { url } });
  onTestFinished(() => agents.close());
  const written: StoredTask[] = [];
  const now = Date.now();
  const task: StoredTask = {
    taskId: `${(now + 60_000).toString(36)}-${'0'.repeat(64)}`,
    owner: OWNER,
    agentId: 'agent',
    createdAt: now,
    changedAt: now,
    questions: 0,
    asking: CALL.asking,
    outgoing: { messageId: 'm-1', parts: [{ text: 'hello' }] },
  };
  const run = new TaskRun(task, {
    tools: new A2ATools(new A2ASession(agents)),
    onResult: () => {},
    lostMessageId: undefined,
    exclusively: (work) => work(),
    write: async (changed) => {
      if (written.push(changed) === 1) throw new Error('ENOSPC: no space left on device, open /secret/path');
    },
  });
  await run.run();
  expect(run.task.end).toEqual({
    status: 'failed',
    error: { code: -32603, message: expect.stringMatching(/^The task could not be stored/) as string },
  });
  expect(written).toHaveLength(2);
  expect(JSON.stringify(run.task)).not.toContain('/secret/path');
});

test('tasks belong to their owner', async () => {
  const { open, agent } = await openScene();
  agent.become('INPUT_REQUIRED', 'Who?');
  const tasks = open();
  const taskId = await create(tasks);
  await until(tasks, taskId, isAsked);
  expect(await tasks.get('eve', taskId)).toBeUndefined();
  expect(await tasks.update('eve', taskId, { 'question-1': accept('Eve') })).toBe(false);
  expect(await tasks.cancel('eve', taskId)).toBe(false);
  expect((await tasks.get(OWNER, taskId))?.task.question?.key).toBe('question-1');
});
