import { describe, expect, test } from 'vitest';
import { outline } from '../../engine/testing/read-journal.ts';
import {
  readStream,
  requestContext,
  send,
  sendForTask,
  taskIn,
} from '../../operations/testing/start-test-operations.ts';
import type { CliProfile } from './profile.ts';
import { failure } from './testing/conversation.ts';
import { fakeProfile, startCliAgent, type TestCliAgent } from './testing/start-cli-agent.ts';

/** Runs a script with the session and the message. Session lines in its output are read; exit code 9 means session lost. */
function rememberingProfile(script: string): CliProfile {
  return {
    name: 'remembering',
    card: { name: 'Remembering', description: 'Counts.' },
    command: ({ prompt, sessionId = 'none' }) => ({
      file: '/bin/sh',
      arguments: ['-c', script, 'sh', sessionId, prompt],
    }),
    reader: () => {
      let said = '';
      return {
        read: (text) => {
          said += text;
          const sessionId = /session (\S+)/.exec(text)?.[1];
          return sessionId === undefined ? [] : [{ kind: 'session', sessionId }];
        },
        finish: ({ exitCode }) =>
          exitCode === 9
            ? { state: 'session-lost' }
            : { state: 'completed', parts: [{ text: said.trim() }], metadata: { model: 'm' } },
      };
    },
  };
}

async function answerIn(agent: TestCliAgent, contextId: string): Promise<unknown> {
  return (await sendForTask(agent.operations, 'hi', { contextId })).status.message?.parts[0]?.text;
}

describe('the session of a context', () => {
  test('is the one that the program reported last for the context', async () => {
    const agent = await startCliAgent(rememberingProfile('echo "was $1, session $1x"'));
    expect(await answerIn(agent, 'one')).toBe('was none, session nonex');
    expect(await answerIn(agent, 'one')).toBe('was nonex, session nonexx');
    expect(await answerIn(agent, 'other')).toBe('was none, session nonex');
  });

  test('survives a restart', async () => {
    const before = await startCliAgent(rememberingProfile('echo "was $1, session s1"'));
    await answerIn(before, 'one');
    await before.engine.stop(0);
    const after = await startCliAgent(rememberingProfile('echo "was $1"'), { store: before.store });
    expect(await answerIn(after, 'one')).toBe('was s1');
  });

  test('differs for owners who use the same context id', async () => {
    const agent = await startCliAgent(rememberingProfile('echo "was $1, session s1"'));
    await answerIn(agent, 'one');
    const stranger = requestContext({ owner: { tenant: '', caller: 'stranger', authenticated: true } });
    const message = send('hi', { contextId: 'one' });
    const task = taskIn(await agent.operations.sendMessage(message, stranger));
    expect(task.status.message?.parts).toEqual([{ text: 'was none, session s1' }]);
  });

  test('is replaced when the program no longer knows it, without losing the turn', async () => {
    const forgetful = '[ "$2$1" = forgets1 ] && exit 9; echo "was $1, session s1"';
    const agent = await startCliAgent(rememberingProfile(forgetful));
    await answerIn(agent, 'one');
    const { events } = await readStream(
      agent.operations.sendStreamingMessage(send('forget', { contextId: 'one' }), requestContext()),
    );
    expect(outline(events)).toEqual([
      'submitted',
      'working',
      'working The agent no longer knows this conversation and starts a new one.',
      'artifact response was none, session s1',
      'completed was none, session s1',
    ]);
    const hopeless = await startCliAgent(rememberingProfile('exit 9'));
    expect((await sendForTask(hopeless.operations, 'hi')).status).toMatchObject(
      failure(/could not start a conversation/),
    );
  });

  test('names the model in the metadata of its answer', async () => {
    const agent = await startCliAgent(rememberingProfile('echo hi'));
    const task = await sendForTask(agent.operations, 'hi');
    expect(task.status.message?.metadata).toEqual({ model: 'm' });
    expect(task.artifacts?.[0]?.metadata).toEqual({ model: 'm' });
  });
});

describe('a program runs', () => {
  test('in one folder for all, or in one for each context', async () => {
    const fixed = await startCliAgent(fakeProfile());
    expect((await sendForTask(fixed.operations, 'where')).status.message?.parts).toEqual([
      { text: fixed.folder },
    ]);
    const apart = await startCliAgent(fakeProfile(), { workingDirectory: { perContextIn: fixed.folder } });
    const whereIn = async (contextId: string): Promise<unknown> =>
      (await sendForTask(apart.operations, 'where', { contextId })).status.message?.parts[0]?.text;
    const [one, other, again] = [await whereIn('one'), await whereIn('other'), await whereIn('one')];
    expect(one).toMatch(new RegExp(`^${fixed.folder}/[0-9a-f]{32}$`));
    expect(other).not.toBe(one);
    expect(again).toBe(one);
  });

  test('without the environment of the server, but with what was configured', async () => {
    const agent = await startCliAgent(fakeProfile(), { environment: { values: { GIVEN: 'yes' } } });
    const answerTo = async (text: string): Promise<unknown> =>
      (await sendForTask(agent.operations, text)).status.message?.parts;
    expect(process.env['NODE_ENV'] ?? process.env['VITEST']).toBeDefined();
    expect(await answerTo('variable VITEST')).toEqual([{ text: 'unset' }]);
    expect(await answerTo('variable GIVEN')).toEqual([{ text: 'yes' }]);
  });

  test('in the trace of the request', async () => {
    const { operations } = await startCliAgent(fakeProfile());
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const trace = { traceparent: `00-${traceId}-b7ad6b7169203331-01` };
    const answer = await operations.sendMessage(send('variable TRACEPARENT'), requestContext({ trace }));
    expect(taskIn(answer).status.message?.parts[0]?.text).toContain(traceId);
  });
});
