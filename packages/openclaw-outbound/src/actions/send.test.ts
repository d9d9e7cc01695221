import type { JsonObject } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import type { ToolResult } from '../plugin-api.ts';
import { message, SEND, task, update } from '../testing/answers.ts';
import { openTool, openToolFor, type Result } from '../testing/open-tool.ts';
import { type PeerAnswer, type PeerRequest, startPeer, startWebServer } from '@holdword/client/testing';

/** Advice about long work would lead to a second send. */
const ANSWERED =
  /may do the work twice\. Tell the user what the agent answered, and ask before you send it again\.$/;
const UNUSABLE =
  /may do the work twice\. Tell the user that the agent's answer cannot be used, and ask before/;

const nameless = (state: string): object => ({ kind: 'task', id: 't-1', status: { state } });

describe('a conversation that the agent does not name', () => {
  test.each([['completed'], ['rejected by the agent']])(
    'is not continued after its task, %s, and the model is told',
    async (how) => {
      const { url, calls } = await startPeer({
        card: { capabilities: { streaming: false } },
        answer: ({ method, params }): PeerAnswer => {
          if (method === 'tasks/get') return { result: nameless('completed') };
          const isFollowUp = 'taskId' in (params['message'] as object);
          if (isFollowUp) return { error: { code: -32602, message: 'Task t-1 is in a terminal state' } };
          return { result: nameless(how === 'completed' ? 'completed' : 'working') };
        },
      });
      const tool = openToolFor(url);
      const first = await tool.call({ ...SEND, blocking: false });
      expect(first.summary).not.toHaveProperty('note');
      const { continuation } = first.summary;
      const second = await tool.call({ ...SEND, blocking: false, continuation });
      expect(second.summary['note']).toContain('this message started a new one');
      expect(calls.at(-1)?.params['message']).not.toHaveProperty('contextId');
    },
  );
});

describe('a failure', () => {
  test('without a text does not advise to tell what the agent answered', async () => {
    const { url } = await startPeer({ answer: () => ({ status: 500, text: '' }) });
    const { error } = await openToolFor(url).call({ ...SEND, blocking: true });
    expect(error.details['hint']).toMatch(
      /Tell the user that the agent failed without saying why, and ask before/,
    );
    expect(error.details).not.toHaveProperty('source');
  });

  test.each([{}, { follow_updates: true }])(
    'after the first events says how far the agent was, %j',
    async (options) => {
      const { url } = await startPeer({
        answer: () => ({ events: [task('working'), update('working', 'half')], end: 'open' }),
      });
      const { error } = await openToolFor(url).call({ ...SEND, ...options, timeout_ms: 1_000 });
      expect(error.message).toBe('request timed out');
      expect(error.details).toMatchObject({
        partial_event_count: 2,
        latest_event_summary: { kind: 'status-update', task_id: 't-1', status: 'working' },
      });
    },
  );

  test('reported by the agent has its code and the shape of its data', async () => {
    const data = { stack: 'Error: at secret.ts:1', trace: [1] };
    const error = { code: -32042, message: 'No\n    at secret (/srv/secret.ts:1:1)', data };
    const { url } = await startPeer({ answer: () => ({ error }) });
    const result = await openToolFor(url).call(SEND);
    expect(result.error).toEqual({
      code: 'A2A_SDK_ERROR',
      message: 'No',
      details: {
        source: 'agent',
        errorName: 'INTERNAL',
        rpcCode: -32042,
        rpcData: { type: 'object', keys: ['stack', 'trace'] },
        hint: expect.stringContaining('The agent may have received the message') as string,
        capability_diagnostics: expect.objectContaining({ mismatches: [] }) as object,
      },
    });
    expect(JSON.stringify(result)).not.toContain('secret.ts');
  });

  test('of an agent that asks to wait longer than the call has says when to try again', async () => {
    const { url, calls } = await startPeer({
      card: { capabilities: { streaming: false } },
      answer: () => ({ status: 429, text: 'slow down', headers: { 'Retry-After': '7' } }),
    });
    const { error } = await openToolFor(url).call({ ...SEND, timeout_ms: 6_000 });
    expect(calls).toHaveLength(1);
    expect(error.details).toMatchObject({ errorName: 'RESOURCE_EXHAUSTED', retryAfterSeconds: 7 });
    expect(error.details['hint']).toBe('The agent is busy. Try again later.');
  });

  test('of an agent whose host does not exist is not an internal error', async () => {
    const { url } = await startPeer({
      card: { url: 'grpc://nowhere.invalid:50051', preferredTransport: 'GRPC' },
    });
    const { error } = await openToolFor(url).call({ ...SEND, timeout_ms: 20_000 });
    expect(error).toMatchObject({ code: 'A2A_SDK_ERROR', details: { errorName: 'UNAVAILABLE' } });
  });

  test.each([{}, { follow_updates: true }])(
    'of a send whose card cannot be fetched has diagnostics with an empty card, %j',
    async (options) => {
      const parts = [{ kind: 'file', uri: 'https://a.example/x.png', mime_type: 'image/png' }];
      const { error } = await openToolFor('http://127.0.0.1:9').call({ ...SEND, ...options, parts });
      expect(error.details['capability_diagnostics']).toEqual({
        requested: {
          input_modes: ['image/png'],
          accepted_output_modes: [],
          streaming: options.follow_updates === true,
          push_notifications: false,
        },
        peer_card: {
          default_input_modes: [],
          default_output_modes: [],
          streaming: null,
          push_notifications: null,
        },
        mismatches: [],
      });
    },
  );

  test('of a send does not call the short name of a media type a mismatch', async () => {
    const { url } = await startPeer({
      card: { capabilities: { streaming: false }, defaultInputModes: ['text'] },
      answer: () => ({ error: { code: -32603, message: 'no' } }),
    });
    const { error } = await openToolFor(url).call(SEND);
    expect(error.details).toMatchObject({ capability_diagnostics: { mismatches: [] } });
  });

  test('of a send includes the capabilities of the agent', async () => {
    const { url } = await startPeer({
      card: { capabilities: { streaming: false }, defaultInputModes: ['image/png'] },
      answer: () => ({ error: { code: -32005, message: 'Incompatible content types' } }),
    });
    const { error } = await openToolFor(url).call({ ...SEND, accepted_output_modes: ['audio/ogg'] });
    expect(error.details).toMatchObject({
      errorName: 'CONTENT_TYPE_NOT_SUPPORTED',
      rpcCode: -32005,
      capability_diagnostics: {
        requested: { input_modes: ['text/plain'], accepted_output_modes: ['audio/ogg'] },
        peer_card: { default_input_modes: ['image/png'], streaming: false },
        mismatches: [
          'the card does not list text/plain among its input modes',
          'the card lists none of the accepted output modes',
        ],
      },
    });
  });

  test('compares with the modes of the skills, and not with guessed ones', async () => {
    const skill = {
      id: 's',
      name: 's',
      description: 's',
      tags: [],
      inputModes: ['text/csv'],
      outputModes: ['image/png'],
    };
    const { url } = await startPeer({
      card: { skills: [skill] },
      answer: () => ({ error: { code: -32005, message: 'Incompatible content types' } }),
    });
    const parts = [{ kind: 'file', bytes: 'aGk=', name: 'table.xlsx' }];
    const { error } = await openToolFor(url).call({ action: 'send', parts });
    expect(error.details['capability_diagnostics']).toMatchObject({
      requested: { input_modes: [] },
      peer_card: { skill_input_modes: ['text/csv'], skill_output_modes: ['image/png'] },
      mismatches: [expect.stringContaining('without mime_type') as string],
    });
  });

  test('of a message that may have arrived does not suggest to send it again', async () => {
    const { url } = await startPeer({ answer: () => ({ events: [], end: 'cut' }) });
    const { error } = await openToolFor(url).call(SEND);
    expect(error.details).toMatchObject({
      errorName: 'UNAVAILABLE',
      hint: expect.stringContaining('may do the work twice') as string,
    });
  });

  test.each<[string, PeerAnswer, object]>([
    [
      'a stream that is cut before its first event',
      { events: [], end: 'cut' },
      {
        message: /^The connection to the agent was lost before it had answered: /,
        hint: /may do the work twice\. For long work, use task_requirement/,
      },
    ],
    [
      'a stream without events',
      { events: [] },
      { message: /^stream ended without events/, hint: /may do the work twice/ },
    ],
    ['an answer that is not JSON', { status: 200, text: 'nonsense' }, { hint: UNUSABLE }],
    ['HTTP status 500', { status: 500, text: 'no' }, { hint: /agent failed without saying why, and ask/ }],
    ['a JSON-RPC error', { error: { code: -32000, message: 'no' } }, { hint: ANSWERED }],
    ['an invalid task id', { result: task('working', { id: 'a b' }) }, { hint: UNUSABLE }],
    [
      'HTTP status 307',
      { status: 307, text: '', headers: { Location: 'https://other.example/' } },
      { message: /redirects its endpoint/, hint: /^Sending the same again does not help/ },
    ],
    [
      'an answer that is too large',
      { result: message('x'.repeat(3_000)) },
      {
        message: /^The agent's response exceeds the limit of 2048 bytes\.$/,
        hint: /has answered.*larger than limits\.responseBytes.*repeats the work/,
      },
    ],
    [
      'a limit that does not pass',
      { status: 429, text: 'You have 5 stored tasks.' },
      { hint: /does not say that waiting helps/ },
    ],
  ])('after %s: the message and the hint agree', async (_, answer, expected) => {
    const { url } = await startPeer({ answer: () => answer });
    const tool = openToolFor(url, { limits: { responseBytes: 2_048 } });
    const { error } = await tool.call({ ...SEND, timeout_ms: 3_000 });
    for (const [field, text] of Object.entries(expected)) {
      expect(field === 'hint' ? error.details['hint'] : error.message).toMatch(text as RegExp);
    }
    expect(error.message).not.toMatch(/then try again|maxResponseBytes/);
  });

  test('of an agent that goes on with another task sends the model to the task that it has', async () => {
    const events = [task('working'), { ...update('completed', 'done'), taskId: 't-2' }];
    const { url } = await startPeer({ answer: () => ({ events }) });
    const { error } = await openToolFor(url).call({ ...SEND, timeout_ms: 5_000 });
    expect(error.details).toMatchObject({
      errorName: 'INVALID_AGENT_RESPONSE',
      suggested_action: 'status',
      hint: expect.stringMatching(/^The call failed while the agent had the message.*Call status/) as string,
      task_id: 't-1',
    });
  });

  test.each([
    ['send', SEND],
    ['watch', { action: 'watch', task_id: 't-1' }],
  ])('of a %s whose stream ends in an unknown state says so at once', async (_, request) => {
    const events = [task('working'), { ...update('parked'), final: true }];
    const { url, calls } = await startPeer({
      answer: ({ method }): PeerAnswer => (method === 'tasks/get' ? { result: task('working') } : { events }),
    });
    const { error } = await openToolFor(url).call({ ...request, timeout_ms: 60_000 });
    expect(error).toMatchObject({
      message: expect.stringMatching(/not part of A2A.*PARKED.*state of the task is unknown/) as string,
      details: { errorName: 'INVALID_AGENT_RESPONSE' },
    });
    expect(JSON.stringify(error)).not.toContain('still running');
    expect(calls.filter(({ method }) => method !== 'tasks/get')).toHaveLength(1);
  });

  test('names an unreachable agent', async () => {
    const result = await openToolFor('http://127.0.0.1:9').call({ ...SEND, timeout_ms: 5_000 });
    expect(result.error).toMatchObject({
      code: 'A2A_SDK_ERROR',
      message: expect.stringContaining('The card of agent "support" could not be fetched') as string,
    });
  });

  test('echoes the requested action', async () => {
    const tool = openTool({});
    expect(await tool.call({ action: 'destroy' })).toMatchObject({ ok: false, action: 'destroy' });
    expect(await tool.call('nonsense')).toMatchObject({ ok: false, action: 'unknown' });
  });

  test('is reported if a task is required and a message is returned', async () => {
    const { url } = await startPeer({ answer: () => ({ result: message('Here you are.') }) });
    expect(await openToolFor(url).call({ ...SEND, task_requirement: 'required' })).toMatchObject({
      ok: false,
      error: {
        code: 'TASK_REQUIRED_BUT_MESSAGE_RETURNED',
        details: {
          message_text: 'Here you are.',
          suggested_action: 'send',
          capability_diagnostics: { mismatches: [] },
        },
      },
    });
  });
});

describe('the timeout of a call', () => {
  test('ends a send', async () => {
    const { url } = await startPeer({ answer: () => 'no response' });
    expect(await openToolFor(url).call({ ...SEND, timeout_ms: 1_500 })).toMatchObject({
      ok: false,
      error: {
        code: 'A2A_SDK_ERROR',
        message: 'request timed out',
        details: { hint: expect.stringContaining('may do the work twice') as string },
      },
    });
  });

  test.each([
    ['that streams', { streaming: true }, ['message/stream']],
    ['that is polled', { streaming: false }, ['message/send', 'tasks/get']],
  ])('names the task of an agent %s', async (_name, capabilities, methods) => {
    const { url, calls } = await startPeer({
      card: { capabilities },
      answer: ({ method }): PeerAnswer =>
        method === 'message/stream'
          ? { events: [task('working')], end: 'open' }
          : { result: task('working') },
    });
    const tool = openToolFor(url);
    const { error } = await tool.call({ ...SEND, timeout_ms: 2_000 });
    expect(error).toMatchObject({
      message: 'request timed out',
      details: {
        task_id: 't-1',
        suggested_action: 'status',
        hint: expect.stringContaining('still running') as string,
        continuation: { task: { task_id: 't-1' }, conversation: { context_id: 'c-1' } },
      },
    });
    expect(calls.map(({ method }) => method)).toEqual(expect.arrayContaining(methods));
    expect(calls.map(({ method }) => method)).not.toContain('tasks/cancel');
  });

  test('may be longer than a timer of Node.js accepts', async () => {
    const { url } = await startPeer({ answer: () => ({ result: message('hi') }) });
    expect(await openToolFor(url).call({ ...SEND, timeout_ms: 2 ** 32 })).toMatchObject({ ok: true });
  });

  test('covers a whole stream, and returns a continuation', async () => {
    const { url } = await startPeer({
      answer: () => ({ events: [task('submitted'), update('working')], end: 'open' }),
    });
    const { error } = await openToolFor(url).call({ ...SEND, follow_updates: true, timeout_ms: 2_000 });
    expect(error).toMatchObject({
      code: 'A2A_SDK_ERROR',
      message: 'request timed out',
      details: {
        partial_event_count: 2,
        latest_event_summary: { kind: 'status-update', task_id: 't-1', status: 'working' },
        task_id: 't-1',
        task_handle: expect.stringMatching(/^rah_/) as string,
        context_id: 'c-1',
        suggested_action: 'status',
        continuation: { task: { task_id: 't-1', status: 'working' } },
      },
    });
  });
});

describe('an aborted call', () => {
  test('cancels the task that it started', async () => {
    const { url, calls } = await startPeer({
      answer: ({ method }): PeerAnswer =>
        method === 'tasks/cancel' ? { result: task('canceled') } : { events: [task('working')], end: 'open' },
    });
    const tool = openToolFor(url);
    const stop = new AbortController();
    const result = await tool.call(
      { ...SEND, follow_updates: true },
      { signal: stop.signal, onUpdate: () => stop.abort() },
    );
    expect(result.error).toMatchObject({ code: 'A2A_SDK_ERROR', message: 'request was aborted' });
    await tool.agent.close();
    expect(calls.map(({ method }) => method)).toEqual(['message/stream', 'tasks/cancel']);
    expect(calls[1]?.params).toMatchObject({ id: 't-1' });
  });

  test.each([
    ['that streams', { streaming: true }],
    ['that is polled', { streaming: false }],
  ])('cancels the task of an agent %s', async (_name, capabilities) => {
    const stop = new AbortController();
    const { url, calls } = await startPeer({
      card: { capabilities },
      answer: ({ method }): PeerAnswer => {
        if (method === 'tasks/cancel') return { result: task('canceled') };
        return method === 'message/stream'
          ? { events: [task('working')], end: 'open' }
          : { result: task('working') };
      },
    });
    const tool = openToolFor(url);
    await tool.call(SEND, { signal: stop.signal, onUpdate: () => stop.abort() });
    await tool.agent.close();
    expect(calls.at(-1)).toMatchObject({ method: 'tasks/cancel', params: { id: 't-1' } });
  });

  test.each([
    ['that streams', { streaming: true }],
    ['that is polled', { streaming: false }],
  ])('cancels a task that an agent %s names later', async (_name, capabilities) => {
    const stop = new AbortController();
    const later = Promise.withResolvers<void>();
    const { url, calls } = await startPeer({
      card: { capabilities },
      answer: async ({ method }): Promise<PeerAnswer> => {
        if (method === 'tasks/cancel') return { result: task('canceled') };
        stop.abort();
        await later.promise;
        return method === 'message/stream'
          ? { events: [task('working')], end: 'open' }
          : { result: task('working') };
      },
    });
    const tool = openToolFor(url);
    const { error } = await tool.call(SEND, { signal: stop.signal });
    expect(error.message).toBe('request was aborted');
    later.resolve();
    await tool.agent.close();
    expect(calls.at(-1)).toMatchObject({ method: 'tasks/cancel', params: { id: 't-1' } });
  });

  test('of a watch does not cancel the task', async () => {
    const { url, calls } = await startPeer({
      answer: ({ method }): PeerAnswer =>
        method === 'tasks/get' ? { result: task('working') } : { events: [task('working')], end: 'open' },
    });
    const tool = openToolFor(url);
    const stop = new AbortController();
    const watch = { action: 'watch', task_id: 't-1' };
    await tool.call(watch, { signal: stop.signal, onUpdate: () => stop.abort() });
    await tool.agent.close();
    expect(calls.map(({ method }) => method)).not.toContain('tasks/cancel');
  });

  test('does not share its message id with the next one', async () => {
    let gate: AbortController | undefined = new AbortController();
    const { signal } = gate;
    const { url, calls } = await startPeer({
      answer: (): PeerAnswer => {
        gate?.abort();
        const answer: PeerAnswer = gate === undefined ? { result: message('hi') } : 'no response';
        gate = undefined;
        return answer;
      },
    });
    const tool = openToolFor(url);
    await tool.call(SEND, { signal });
    await tool.call(SEND);
    const [first, second] = calls.map(idOf);
    expect(second).not.toBe(first);
  });

  test('before anything was sent does not reach the agent', async () => {
    const { url, calls } = await startPeer();
    const result = await openToolFor(url).call(SEND, { signal: AbortSignal.abort() });
    expect(result.error.message).toBe('request was aborted');
    expect(calls).toEqual([]);
  });
});

describe('a send that waits for the answer', () => {
  test('streams, so that its task is known, and returns the task', async () => {
    const { url, calls } = await startPeer({
      answer: () => ({ events: [task('submitted'), update('working'), update('completed', 'done')] }),
    });
    const result = await openToolFor(url).call(SEND);
    expect(calls.map(({ method }) => method)).toEqual(['message/stream']);
    expect(result).toMatchObject({
      summary: { message_text: 'done', continuation: { task: { status: 'completed' } } },
      raw: { kind: 'task', id: 't-1', status: { state: 'completed' } },
    });
  });

  test('polls an agent that does not stream', async () => {
    const { url, calls } = await startPeer({
      card: { capabilities: { streaming: false } },
      answer: ({ method }) => ({ result: task(method === 'message/send' ? 'working' : 'completed') }),
    });
    const result = await openToolFor(url).call(SEND);
    expect(calls.map(({ method }) => method)).toEqual(['message/send', 'tasks/get']);
    expect(calls[0]?.params).toMatchObject({ configuration: { blocking: false } });
    expect(result.raw).toMatchObject({ kind: 'task', status: { state: 'completed' } });
  });

  test('polls an agent that rejects streams although its card declares them', async () => {
    const { url, calls } = await startPeer({
      answer: ({ method }): PeerAnswer =>
        method === 'message/stream'
          ? { error: { code: -32601, message: 'Method not found' } }
          : { result: task(method === 'message/send' ? 'working' : 'completed') },
    });
    await openToolFor(url).call(SEND);
    expect(calls.map(({ method }) => method)).toContain('message/send');
  });

  describe('whose stream fails after the message has arrived', () => {
    const failed = { error: { code: -32004, message: 'Received artifactUpdate before initial Task event' } };

    /** Asks a question; the stream with the answer fails. `history` is what the task tells about its messages. */
    async function startFailing(
      history: (message: object) => object[],
      state = 'completed',
      fields: object = {},
    ) {
      let sent = {};
      const peer = await startPeer({
        answer: ({ method, params }): PeerAnswer => {
          if (peer.calls.length === 1) return { result: task('input-required', fields) };
          if (method === 'tasks/get') return { result: task(state, { history: history(sent), ...fields }) };
          sent = params['message'] as object;
          return failed;
        },
      });
      const tool = openToolFor(peer.url);
      const { summary } = await tool.call({ ...SEND, blocking: false });
      const { continuation } = summary;
      const result = await tool.call({ ...SEND, continuation });
      const methods = peer.calls.slice(1).map(({ method }) => method);
      return { result, methods };
    }

    test('does not send it again', async () => {
      const { url, calls } = await startPeer({ answer: () => failed });
      const { error } = await openToolFor(url).call(SEND);
      expect(calls.map(({ method }) => method)).toEqual(['message/stream']);
      expect(error.details).toMatchObject({ hint: expect.stringContaining('twice') as string });
    });

    test('returns the task that has the message', async () => {
      const { result, methods } = await startFailing((sent) => [sent]);
      expect(methods).toEqual(['message/stream', 'tasks/get']);
      expect(result.summary).toMatchObject({ continuation: { task: { status: 'completed' } } });
    });

    test('says so if the task does not tell its messages', async () => {
      const { result, methods } = await startFailing(() => []);
      expect(methods).toEqual(['message/stream', 'tasks/get']);
      expect(result.error.details).toMatchObject({
        hint: expect.stringContaining('may have been done') as string,
        continuation: { task: { task_id: 't-1' } },
      });
    });

    test('does not wait for a task that still asks the question that was answered', async () => {
      const since = '2026-11-18T04:49:19.371Z';
      const asks = { status: { state: 'input-required', timestamp: since } };
      const { result, methods } = await startFailing((sent) => [sent], 'input-required', asks);
      expect(methods).toEqual(['message/stream', 'tasks/get']);
      expect(result.error).toMatchObject({
        message: 'Received artifactUpdate before initial Task event',
        details: {
          rpcCode: -32004,
          hint: expect.stringContaining('may have been done') as string,
          continuation: { task: { task_id: 't-1', status: 'input-required' } },
        },
      });
    });

    test('tells a refusal of the agent from it', async () => {
      const { result } = await startFailing(() => [message('another')]);
      expect(result.error.details).toMatchObject({
        hint: expect.stringContaining('The task has ended') as string,
      });
    });
  });

  test.each([true, false])('is one request with blocking: %s', async (blocking) => {
    const { url, calls } = await startPeer({ answer: () => ({ result: task('working') }) });
    const result = await openToolFor(url).call({ ...SEND, blocking });
    expect(calls).toMatchObject([{ method: 'message/send', params: { configuration: { blocking } } }]);
    expect(result.summary).toMatchObject({ continuation: { task: { status: 'working' } } });
  });
});

/** An agent whose stream breaks after its first event. */
function startEnding(resubscribed: JsonObject, got: PeerAnswer): ReturnType<typeof startPeer> {
  return startPeer({
    answer: ({ method }): PeerAnswer => {
      if (method === 'message/stream') return { events: [task('working')], end: 'cut' };
      return method === 'tasks/resubscribe' ? { error: resubscribed } : got;
    },
  });
}

describe('a stream', () => {
  test('without events is an error', async () => {
    const { url } = await startPeer({ answer: () => ({ events: [] }) });
    expect(await openToolFor(url).call({ ...SEND, follow_updates: true })).toMatchObject({
      ok: false,
      error: {
        code: 'A2A_SDK_ERROR',
        message: 'stream ended without events',
        details: { partial_event_count: 0 },
      },
    });
  });

  test('that is interrupted is resumed, and its task is not started twice', async () => {
    const answers: Record<string, PeerAnswer> = {
      'message/stream': { events: [task('submitted'), update('working')], end: 'cut' },
      'tasks/resubscribe': { events: [task('working'), update('completed', 'done')] },
      'tasks/get': { result: task('completed', { history: [message('done')] }) },
    };
    const { url, calls } = await startPeer({ answer: ({ method }) => answers[method] ?? 'no response' });
    const result = await openToolFor(url).call({ ...SEND, follow_updates: true });
    expect(result.summary).toMatchObject({
      continuation: { task: { status: 'completed' } },
      message_text: 'done',
    });
    expect(calls.map(({ method }) => method)).toEqual(['message/stream', 'tasks/resubscribe', 'tasks/get']);
  });

  describe('that breaks while its task completes', () => {
    const ended = { code: -32602, message: 'Task t-1 is in terminal state: completed' };
    const unknown = { code: -32001, message: 'Task not found' };
    const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text: 'the answer' }] }];

    test.each([
      ['send', ended, {}],
      ['send', unknown, {}],
      ['followed send', ended, { follow_updates: true }],
      ['send to several targets', ended, { target_aliases: ['support'] }],
      ['send for the first answer', unknown, { target_aliases: ['support'], collect: 'first' }],
    ])('gives a %s its answer', async (_, error, fields) => {
      const { url } = await startEnding(error, { result: task('completed', { artifacts }) });
      const result = await openToolFor(url).call({ ...SEND, ...fields });
      expect(result.ok).toBe(true);
      expect(JSON.stringify(result.summary)).toContain('"message_text":"the answer"');
    });

    test.each([ended, unknown])('gives a watch its answer after %o', async (error) => {
      let gets = 0;
      const { url } = await startPeer({
        answer: ({ method }): PeerAnswer => {
          if (method === 'tasks/resubscribe') return { error };
          gets += 1;
          return { result: gets === 1 ? task('working') : task('completed', { artifacts }) };
        },
      });
      const { summary } = await openToolFor(url).call({ action: 'watch', task_id: 't-1' });
      expect(summary).toMatchObject({ message_text: 'the answer' });
    });

    test.each([{}, { follow_updates: true }])(
      'says that the work may have been done if the task is gone (%o)',
      async (fields) => {
        const { url } = await startEnding(ended, { error: unknown });
        const { error } = await openToolFor(url).call({ ...SEND, ...fields });
        expect(error.details).toMatchObject({
          errorName: 'TASK_NOT_FOUND',
          task_id: 't-1',
          suggested_action: 'status',
          hint: expect.stringMatching(
            /^The agent had accepted the message.*may have been done.*Call status/,
          ) as string,
        });
      },
    );

    test('says so in a watch', async () => {
      let gets = 0;
      const { url } = await startPeer({
        answer: ({ method }): PeerAnswer => {
          if (method === 'tasks/resubscribe') return { error: ended };
          gets += 1;
          return gets === 1 ? { result: task('working') } : { error: unknown };
        },
      });
      const { error } = await openToolFor(url).call({ action: 'watch', task_id: 't-1' });
      expect(error.details).toMatchObject({
        task_id: 't-1',
        suggested_action: 'status',
        hint: expect.stringMatching(/had accepted.*may have been done.*Call status/) as string,
      });
    });

    test('does not advise to send again what the agent has accepted', async () => {
      const { url } = await startEnding(ended, { error: { code: -32602, message: 'no' } });
      const { error } = await openToolFor(url).call(SEND);
      expect(error.details).toMatchObject({
        suggested_action: 'status',
        hint: expect.stringMatching(/^The call failed while the agent had the message/) as string,
      });
    });

    test('does not send the message again with fresh credentials', async () => {
      const { url, calls } = await startPeer({
        answer: ({ method }): PeerAnswer =>
          method === 'message/stream'
            ? { events: [task('working')], end: 'cut' }
            : { status: 401, text: 'expired' },
      });
      const auth = { type: 'bearer', token: 'a-token' };
      const tool = openTool({ targets: [{ alias: 'support', baseUrl: url, default: true, auth }] });
      const { error } = await tool.call(SEND);
      expect(error.details).toMatchObject({
        errorName: 'UNAUTHENTICATED',
        suggested_action: 'status',
        hint: expect.stringMatching(/^The agent has accepted the message.*credentials/) as string,
      });
      expect(calls.filter(({ method }) => method === 'message/stream')).toHaveLength(1);
    });
  });

  test('that has only a working task is followed if the caller asked for it', async () => {
    const { url } = await startPeer({
      answer: ({ method }) =>
        method === 'message/stream' ? { events: [task('working')] } : { result: task('completed') },
    });
    const tool = openToolFor(url);
    const followed = await tool.call({ ...SEND, follow_updates: true });
    expect(followed.summary).toMatchObject({ continuation: { task: { status: 'completed' } } });
    const returned = await tool.call(SEND);
    expect(returned.summary).toMatchObject({ continuation: { task: { status: 'working' } } });
  });

  test('that ends before its task is followed to the whole answer', async () => {
    const answers: Record<string, PeerAnswer> = {
      'message/stream': { events: [task('working'), update('working', 'half of the')] },
      'tasks/resubscribe': { events: [task('working'), update('completed', 'the whole answer')] },
      'tasks/get': { result: task('completed', { history: [message('the whole answer')] }) },
    };
    const { url } = await startPeer({ answer: ({ method }) => answers[method] ?? 'no response' });
    const { summary } = await openToolFor(url).call(SEND);
    expect(summary).toMatchObject({
      continuation: { task: { status: 'completed' } },
      message_text: 'the whole answer',
    });
  });

  test('reports every step to the host', async () => {
    const { url } = await startPeer({
      answer: () => ({ events: [task('submitted'), update('working', 'thinking'), update('completed')] }),
    });
    const updates: ToolResult[] = [];
    await openToolFor(url).call(
      { ...SEND, follow_updates: true },
      { onUpdate: (each) => void updates.push(each) },
    );
    expect(updates.map(({ details }) => details)).toMatchObject([
      { status: 'submitted', event_count: 1, target_alias: 'support' },
      { status: 'working', event_count: 2, text: 'thinking' },
      { status: 'completed', event_count: 3 },
    ]);
  });

  test('of an agent without streaming is replaced by polling', async () => {
    let asked = 0;
    const { url, calls } = await startPeer({
      card: { capabilities: { streaming: false } },
      answer: ({ method }): PeerAnswer =>
        method === 'message/send'
          ? { result: task('submitted') }
          : { result: task((asked += 1) < 2 ? 'working' : 'completed') },
    });
    const result = await openToolFor(url).call({ ...SEND, follow_updates: true });
    expect(result.summary).toMatchObject({
      continuation: { task: { status: 'completed', can_watch: false } },
    });
    expect(calls[0]?.params).toMatchObject({ configuration: { blocking: false } });
  });

  test('of an agent that rejects streaming is replaced by polling', async () => {
    const { url, calls } = await startPeer({
      card: { capabilities: {} },
      answer: ({ method }): PeerAnswer =>
        method === 'message/stream'
          ? { error: { code: -32004, message: 'no streams' } }
          : { result: task(method === 'message/send' ? 'working' : 'completed') },
    });
    const result = await openToolFor(url).call({ ...SEND, follow_updates: true });
    expect(result.summary).toMatchObject({ continuation: { task: { status: 'completed' } } });
    expect(calls.map(({ method }) => method)).toEqual(['message/stream', 'message/send', 'tasks/get']);
  });

  test('may start with a status update', async () => {
    const { url } = await startPeer({ answer: () => ({ events: [update('completed', 'done')] }) });
    const result = await openToolFor(url).call({ ...SEND, follow_updates: true });
    expect(result.summary).toMatchObject({
      message_text: 'done',
      continuation: { task: { task_id: 't-1' } },
    });
  });

  test('of a required task starts with the task, followed by its events', async () => {
    const answers: Record<string, PeerAnswer> = {
      'message/send': { result: task('submitted') },
      'tasks/resubscribe': { events: [task('submitted'), update('completed')] },
      'tasks/get': { result: task('completed') },
    };
    const { url, calls } = await startPeer({ answer: ({ method }) => answers[method] ?? 'no response' });
    const request = { ...SEND, follow_updates: true, task_requirement: 'required' };
    const result = await openToolFor(url).call(request);
    expect(calls.map(({ method }) => method)).toEqual(['message/send', 'tasks/resubscribe', 'tasks/get']);
    // The snapshot repeated by the subscription is not counted twice.
    expect(result.raw).toMatchObject({ events: [{ kind: 'task' }, { kind: 'status-update' }] });
  });

  test('of a required task that has already ended is not followed', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: task('completed') }) });
    await openToolFor(url).call({ ...SEND, follow_updates: true, task_requirement: 'required' });
    expect(calls.map(({ method }) => method)).toEqual(['message/send']);
  });
});

function idOf({ params }: PeerRequest): unknown {
  return Reflect.get(params['message'] as object, 'messageId');
}

describe('a message id', () => {
  test('stays the same if the model retries an unanswered send', async () => {
    let isSilent = true;
    const { url, calls } = await startPeer({
      answer: () => (isSilent ? 'no response' : { result: message('hi') }),
    });
    const tool = openToolFor(url);
    await tool.call({ ...SEND, timeout_ms: 1_500 });
    isSilent = false;
    await tool.call(SEND);
    await tool.call(SEND);
    const [first, second, third] = calls.map(idOf);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('is a new one once the model has followed up on the task of the first', async () => {
    const { url, calls } = await startPeer({
      answer: ({ method }): PeerAnswer =>
        method === 'message/stream'
          ? { events: [task('working')], end: 'open' }
          : { result: task('working') },
    });
    const tool = openToolFor(url);
    const late = { ...SEND, timeout_ms: 2_500 };
    const { error } = await tool.call(late);
    await tool.call(late);
    await tool.call({ action: 'status', continuation: error.details['continuation'] });
    await tool.call(late);
    const [first, second, third] = calls.filter(({ method }) => method === 'message/stream').map(idOf);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  test('chosen by the model is used', async () => {
    const { url, calls } = await startPeer({ answer: () => ({ result: message('hi') }) });
    await openToolFor(url).call({ ...SEND, message_id: 'mine' });
    expect(calls.map(idOf)).toEqual(['mine']);
  });
});

async function startPair(second: PeerAnswer): Promise<object> {
  const one = await startPeer({ answer: () => ({ result: message('from one') }) });
  const two = await startPeer({ answer: () => second });
  const targets = [
    { alias: 'one', baseUrl: one.url },
    { alias: 'two', baseUrl: two.url },
  ];
  return { targets };
}

describe('several targets', () => {
  const toBoth = { ...SEND, target_aliases: ['two', 'one'] };

  test('answer independently, in the order of the request', async () => {
    const config = await startPair({ result: task('input-required') });
    const result = await openTool(config).call(toBoth);
    expect(result).toMatchObject({
      ok: true,
      summary: {
        collect: 'all',
        branches: [
          {
            target_alias: 'two',
            ok: true,
            summary: { response_kind: 'task', continuation: { task: { task_id: 't-1' } } },
          },
          { target_alias: 'one', ok: true, summary: { message_text: 'from one' } },
        ],
      },
      raw: [{ kind: 'task' }, { kind: 'message' }],
    });
  });

  test('that fail do not hide the others', async () => {
    const config = await startPair({ error: { code: -32603, message: 'broken' } });
    const result = await openTool(config).call(toBoth);
    expect(result.summary['branches']).toMatchObject([
      { target_alias: 'two', ok: false, error: { code: 'A2A_SDK_ERROR', message: 'broken' } },
      { target_alias: 'one', ok: true },
    ]);
  });

  test('return one error if all of them fail', async () => {
    const config = await startPair({ error: { code: -32603, message: 'broken' } });
    const result = await openTool(config).call({ ...toBoth, target_aliases: ['two'] });
    expect(result.error).toMatchObject({
      code: 'A2A_SDK_ERROR',
      details: { branches: [{ target_alias: 'two', ok: false }] },
    });
  });

  test('are aborted and their tasks canceled after the first successful answer', async () => {
    const begun = Promise.withResolvers<void>();
    const one = await startPeer({
      answer: async () => {
        await begun.promise;
        return { result: message('from one') };
      },
    });
    const two = await startPeer({
      answer: ({ method }): PeerAnswer =>
        method === 'tasks/cancel' ? { result: task('canceled') } : { events: [task('working')], end: 'open' },
    });
    const targets = [
      { alias: 'one', baseUrl: one.url },
      { alias: 'two', baseUrl: two.url },
    ];
    const tool = openTool({ targets });
    const request = { ...toBoth, collect: 'first', follow_updates: true };
    const result = await tool.call(request, { onUpdate: () => begun.resolve() });
    expect(result.summary).toMatchObject({
      collect: 'first',
      branches: [{ target_alias: 'one', ok: true }],
      stopped: ['two'],
    });
    await tool.agent.close();
    expect(two.calls.map(({ method }) => method)).toEqual(['message/stream', 'tasks/cancel']);
  });

  test('that fail at once are not the first answer', async () => {
    const failed = await startPeer({ answer: () => ({ result: task('failed') }) });
    const asking = await startPeer({
      answer: ({ method }) => ({ result: task(method === 'tasks/cancel' ? 'canceled' : 'input-required') }),
    });
    const good = await startPeer({
      answer: async () => {
        await expect.poll(() => failed.calls.length + asking.calls.length).toBe(2);
        return { result: message('good') };
      },
    });
    const targets = Object.entries({ failed, asking, good }).map(([alias, { url }]) => ({
      alias,
      baseUrl: url,
    }));
    const request = { ...SEND, target_aliases: ['failed', 'asking', 'good'], collect: 'first' };
    const { summary } = await openTool({ targets }).call(request);
    expect(summary['branches']).toMatchObject([
      { target_alias: 'good', summary: { message_text: 'good' } },
      { target_alias: 'failed' },
    ]);
    // A question that nobody will answer is not left open.
    expect(summary['stopped']).toEqual(['asking']);
    expect(summary).not.toHaveProperty('not_stopped');
    expect(asking.calls.at(-1)?.method).toBe('tasks/cancel');
  });

  test('that could not be reached before the first answer are not stopped', async () => {
    const good = await startPeer({ answer: () => ({ result: message('good') }) });
    const silent = await startWebServer(() => {});
    const targets = [
      { alias: 'good', baseUrl: good.url },
      { alias: 'silent', baseUrl: silent.origin },
    ];
    const request = { ...SEND, target_aliases: ['silent', 'good'], collect: 'first' };
    const { summary } = await openTool({ targets }).call(request);
    expect(summary).not.toHaveProperty('stopped');
    expect(summary).not.toHaveProperty('not_stopped');
    expect(summary['branches']).toMatchObject([
      { target_alias: 'good', ok: true },
      {
        target_alias: 'silent',
        ok: false,
        error: { details: { hint: expect.stringContaining('was not sent') as string } },
      },
    ]);
  });

  test('that had failed before the first answer say why', async () => {
    let requests = 0;
    const broken = await startWebServer((request) => {
      requests += 1;
      request.socket.destroy();
    });
    const good = await startPeer({
      answer: async () => {
        // The second attempt follows a first one that has failed.
        await expect.poll(() => requests, { timeout: 10_000 }).toBeGreaterThan(1);
        return { result: message('good') };
      },
    });
    const targets = [
      { alias: 'good', baseUrl: good.url },
      { alias: 'broken', baseUrl: broken.origin },
    ];
    const request = { ...SEND, target_aliases: ['broken', 'good'], collect: 'first' };
    const { summary } = await openTool({ targets }).call(request);
    expect(summary['branches']).toMatchObject([
      { target_alias: 'good', ok: true },
      {
        target_alias: 'broken',
        error: {
          message: expect.stringMatching(
            /^The card of agent "broken" could not be fetched: the server closed/,
          ) as string,
          details: { errorName: 'UNAVAILABLE' },
        },
      },
    ]);
    expect(JSON.stringify(summary)).not.toContain('aborted');
  });

  test('without a good answer are all returned', async () => {
    const failed = await startPeer({ answer: () => ({ result: task('failed') }) });
    const tool = openTool({ targets: [{ alias: 'failed', baseUrl: failed.url }] });
    const result = await tool.call({ ...SEND, target_aliases: ['failed'], collect: 'first' });
    expect(result).toMatchObject({
      ok: true,
      summary: { branches: [{ summary: { continuation: { task: { status: 'failed' } } } }] },
    });
  });

  test.each<[string, PeerAnswer, PeerAnswer]>([
    [
      'refuses to stop',
      { events: [task('working')], end: 'open' },
      { error: { code: -32002, message: 'no' } },
    ],
    ['does not say that it stops', { events: [task('working')], end: 'open' }, 'no response'],
    ['waits for an answer', { result: task('input-required') }, { error: { code: -32002, message: 'no' } }],
  ])('whose agent %s can be watched and canceled', async (_, answer, canceled) => {
    const begun = Promise.withResolvers<void>();
    const one = await startPeer({
      answer: async () => {
        await begun.promise;
        return { result: message('from one') };
      },
    });
    const two = await startPeer({
      answer: ({ method }) => {
        if (method === 'tasks/get') return { result: task('completed') };
        return method === 'tasks/cancel' ? canceled : answer;
      },
    });
    const targets = [
      { alias: 'one', baseUrl: one.url },
      { alias: 'two', baseUrl: two.url },
    ];
    const tool = openTool({ targets });
    const request = { ...toBoth, collect: 'first' };
    const sent = await tool.agent.execute('call', request, { onUpdate: () => begun.resolve() });
    const { summary, raw } = sent.details as Result;
    expect(summary).toMatchObject({
      not_stopped: ['two'],
      not_stopped_tasks: [
        {
          target_alias: 'two',
          task_handle: expect.stringMatching(/^rah_/) as string,
          continuation: { target: { target_alias: 'two' }, task: { task_id: 't-1', can_cancel: true } },
        },
      ],
    });
    const shown = JSON.parse(sent.content[0]?.text ?? '') as Result;
    expect(shown.summary['not_stopped_tasks']).toEqual(summary['not_stopped_tasks']);
    // A list for the model as well, like the branches.
    expect([raw, shown.raw].map((each) => Array.isArray(each))).toEqual([true, true]);
    const [{ continuation, task_handle: handle }] = summary['not_stopped_tasks'] as [Record<string, unknown>];
    for (const next of [{ continuation }, { task_handle: handle }])
      expect(await tool.call({ action: 'status', ...next })).toMatchObject({ ok: true });
  });

  test.each([
    ['stopped', { result: task('canceled') }],
    ['not_stopped', { error: { code: -32002, message: 'Task cannot be canceled' } }],
  ] as [string, PeerAnswer][])('are reported as %s by what their agents say', async (field, canceled) => {
    const begun = Promise.withResolvers<void>();
    const one = await startPeer({
      answer: async () => {
        await begun.promise;
        return { result: message('from one') };
      },
    });
    const two = await startPeer({
      answer: ({ method }) =>
        method === 'tasks/cancel' ? canceled : { events: [task('working')], end: 'open' },
    });
    const targets = [
      { alias: 'one', baseUrl: one.url },
      { alias: 'two', baseUrl: two.url },
    ];
    const request = { ...toBoth, collect: 'first' };
    const { summary } = await openTool({ targets }).call(request, { onUpdate: () => begun.resolve() });
    expect(summary).toMatchObject({ branches: [{ target_alias: 'one' }], [field]: ['two'] });
  });
});
