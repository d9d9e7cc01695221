import type { Task } from '@holdword/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { outline } from '../../engine/testing/read-journal.ts';
import {
  readStream,
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
  type TestOperations,
} from '../../operations/testing/start-test-operations.ts';
import { OpenAiAgent, type OpenAiOptions } from './openai-agent.ts';
import { type ScriptedModel, startScriptedModel } from './testing/start-scripted-model.ts';

async function start(
  model: ScriptedModel,
  options: Partial<OpenAiOptions> = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<TestOperations> {
  const agent = new OpenAiAgent({ model: 'scripted', baseUrl: model.baseUrl, ...options }, environment);
  onTestFinished(() => agent.close());
  return startTestOperations(agent);
}

function said({ status }: Task): string | undefined {
  return status.message?.parts[0]?.text;
}

describe('a turn of a model', () => {
  test('streams the answer, then repeats it whole with model and usage', async () => {
    const model = await startScriptedModel({ pieces: ['Hel', 'lo'] });
    const { operations } = await start(model);
    const { events } = await readStream(operations.sendStreamingMessage(send('hi'), requestContext()));
    const text = outline(events).filter((line) => line.startsWith('artifact'));
    expect(text.join('').replaceAll(/artifact\+? response /g, '')).toBe('Hello');
    expect(events.at(-1)).toMatchObject({
      statusUpdate: {
        status: {
          state: 'TASK_STATE_COMPLETED',
          message: {
            parts: [{ text: 'Hello' }],
            metadata: { model: 'scripted-1', usage: { total_tokens: 18 }, finishReason: 'stop' },
          },
        },
      },
    });
  });

  test('accepts the answer of an API that does not stream', async () => {
    const { operations } = await start(await startScriptedModel({ pieces: ['all at once'], whole: true }));
    expect(said(await sendForTask(operations, 'hi'))).toBe('all at once');
  });

  test('sends the system prompt, the temperature and the key, and no tools', async () => {
    const model = await startScriptedModel({ pieces: ['ok'] });
    const options = { systemPrompt: 'Be brief.', temperature: 0.2, apiKeyVariable: 'MY_KEY' };
    const { operations } = await start(model, options, { MY_KEY: 'secret-1' });
    await sendForTask(operations, 'hi');
    expect(model.requests).toMatchObject([
      { path: '/v1/chat/completions', headers: { authorization: 'Bearer secret-1' } },
    ]);
    expect(model.requests[0]?.body).toEqual({
      model: 'scripted',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0.2,
    });
  });

  test('sends the history of the context, including earlier tasks, and of no other context', async () => {
    const model = await startScriptedModel({ pieces: ['one'] }, { pieces: ['two'] });
    const { operations } = await start(model);
    const { contextId } = await sendForTask(operations, 'first');
    await sendForTask(operations, 'elsewhere');
    await sendForTask(operations, 'second', { contextId });
    expect(model.requests[2]?.body.messages).toEqual([
      { role: 'user', content: 'first' },
      { role: 'assistant', content: 'one' },
      { role: 'user', content: 'second' },
    ]);
  });

  test('the request of a canceled turn is aborted', async () => {
    const model = await startScriptedModel({ pieces: ['never '], after: 'hang' });
    const { operations } = await start(model);
    const { id } = taskIn(
      await operations.sendMessage(
        send('hi', {}, { configuration: { returnImmediately: true } }),
        requestContext(),
      ),
    );
    await expect.poll(() => model.requests.length).toBe(1);
    expect((await operations.cancelTask({ id }, requestContext())).status.state).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => model.abandoned).toBe(1);
  });
});

describe('a turn that fails', () => {
  test('is retried after a transient error, and only the second answer counts', async () => {
    const busy = { status: 429, headers: { 'Retry-After': '0' }, body: { error: { message: 'busy' } } };
    const model = await startScriptedModel(
      busy,
      { pieces: ['half an an'], after: 'drop' },
      { pieces: ['whole'] },
    );
    const { operations } = await start(model);
    const task = await sendForTask(operations, 'hi');
    expect(said(task)).toBe('whole');
    expect(task.artifacts?.[0]?.parts.map(({ text }) => text).join('')).toBe('whole');
    expect(model.requests).toHaveLength(3);
  });

  test('is not retried with a rejected key, which is not shown', async () => {
    const body = { error: { message: 'Incorrect API key provided: sk-abcdefgh12345678' } };
    const model = await startScriptedModel({ status: 401, body });
    const { operations } = await start(model, {}, { OPENAI_API_KEY: 'sk-abcdefgh12345678' });
    const task = await sendForTask(operations, 'hi');
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(said(task)).toContain('Its operator has to check the key.');
    expect(JSON.stringify(task)).not.toContain('sk-abc');
    expect(model.requests).toHaveLength(1);
  });

  test('because of a timeout says so', async () => {
    const model = await startScriptedModel({ pieces: ['slow'], after: 'hang' });
    const { operations } = await start(model, { timeoutMilliseconds: 200 });
    expect(said(await sendForTask(operations, 'hi'))).toContain('The agent timed out after 0.2 s');
    await expect.poll(() => model.abandoned).toBe(1);
  });

  test('because of a content filter keeps the text before it', async () => {
    const { operations } = await start(
      await startScriptedModel({ pieces: ['so far'], finishReason: 'content_filter' }),
    );
    const task = await sendForTask(operations, 'hi');
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(said(task)).toContain('content filter');
    expect(task.artifacts?.[0]?.parts[0]).toEqual({ text: 'so far' });
  });

  test('because of the output limit says so', async () => {
    const model = await startScriptedModel({ pieces: ['0123456789', '0123456789'] });
    const { operations } = await start(model, { maxAnswerBytes: 15 });
    expect(said(await sendForTask(operations, 'hi'))).toContain('exceeded its output limit of 15 bytes');
  });
});

describe('an agent with invalid options', () => {
  test('names the variable that is not set', () => {
    expect(() => new OpenAiAgent({ model: 'm', apiKeyVariable: 'NO_SUCH_KEY' }, {})).toThrow(
      'The environment variable NO_SUCH_KEY for the API key is not set.',
    );
  });

  test('shows an example of a base URL', () => {
    expect(() => new OpenAiAgent({ model: 'm', baseUrl: 'localhost:11434' }, {})).toThrow(
      'Invalid base URL "localhost:11434". Use an http:// or https:// URL',
    );
  });
});
