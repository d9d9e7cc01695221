import { InMemoryTaskStore, type V03Event } from '@holdword/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { unique } from '../conversation.ts';
import { openSession } from './open-session.ts';
import { taskOf, textsOf } from './results.ts';
import { cardFor, startCardServer, WIRES } from './start-card-server.ts';

describe('our own server', () => {
  watchForLeaks();
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await startAgent();
  });
  afterAll(() => agent.close());

  describe.each(WIRES)('over $binding $version', (wire) => {
    test('a question is asked and answered, and the task ends', async () => {
      const session = openSession(await startCardServer(await cardFor(agent, wire)));
      const asked = taskOf(await session.sendMessage('agent', 'artifact a one; ask which?'));
      expect(asked.status).toMatchObject({
        state: 'input-required',
        message: { parts: [{ text: 'which?' }] },
      });
      const { id: taskId, contextId } = asked;
      const done = taskOf(
        await session.sendMessage('agent', 'append a two; complete', { taskId, contextId }),
      );
      expect(done).toMatchObject({ id: taskId, status: { state: 'completed' } });
      expect(textsOf(done)).toEqual(['onetwo']);
      const auth = taskOf(await session.sendMessage('agent', 'auth who are you?'));
      expect(auth.status.state).toBe('auth-required');
    });

    test('another session resumes a task where the first one stopped', async () => {
      const taskStore = new InMemoryTaskStore();
      const url = await startCardServer(await cardFor(agent, wire));
      const gate = unique('gate');
      const first = openSession(url, { taskStore });
      const sent = taskOf(
        await first.sendMessage('agent', `artifact a one; wait ${gate}; append a two; complete`, {
          timeout: 0.5,
        }),
      );
      expect(sent.status.state).toBe('working');
      expect(textsOf(sent)).toEqual(['one']);
      agent.gates.open(gate);
      const second = openSession(url, { taskStore });
      const updates: V03Event[] = [];
      const done = await second.getTask('agent', sent.id, {
        onUpdate: (update) => void updates.push(update),
      });
      expect(done.status.state).toBe('completed');
      expect(textsOf(done)).toEqual(['onetwo']);
      // The task as it was, then only new events: the first chunk is not sent again.
      expect(updates.map(({ kind }) => kind)).toEqual(['task', 'artifact-update', 'status-update']);
    });

    test('aborting a call leaves the task running', async () => {
      const session = openSession(await startCardServer(await cardFor(agent, wire)));
      const gate = unique('gate');
      const leaving = new AbortController();
      let taskId = '';
      const sending = session.sendMessage('agent', `working; wait ${gate}; complete`, {
        signal: leaving.signal,
        onUpdate: (update) => {
          if (update.kind === 'status-update') ({ taskId } = update);
          if (update.kind === 'task') taskId = update.id;
          leaving.abort();
        },
      });
      await expect(sending).rejects.toMatchObject({ name: 'AbortError' });
      agent.gates.open(gate);
      expect(await session.getTask('agent', taskId)).toMatchObject({ status: { state: 'completed' } });
    });
  });
});
