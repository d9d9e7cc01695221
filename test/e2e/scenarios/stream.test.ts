import { expect } from 'vitest';
import { openHttp } from '../../support/drivers/http-client.ts';
import { allEvents, asSeenBy, oneByOne, outline, say, sendForTask, unique } from '../conversation.ts';
import { expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const RAW_JSON_RPC = { binding: 'JSONRPC', version: '1.0', client: 'raw' } as const;

scenarios('Streaming a message', {}, ({ scenario, check }) => {
  scenario(
    {
      it: 'starts with the task, continues with its events in order and ends with it',
      covers: ['STREAM-TASK-FIRST', 'STREAM-EVENTS', 'STREAM-ENDS-TERMINAL'],
    },
    async ({ driver }) => {
      const events = await allEvents(
        driver.stream(say('status one; artifact a x; append a y; last a z; status two; complete done')),
      );
      expect(outline(events)).toEqual(
        asSeenBy(driver, [
          'task submitted',
          'working',
          'working one',
          'artifact a x',
          'artifact+ a y',
          'artifact+! a z',
          'working two',
          'completed done',
        ]),
      );
    },
  );

  scenario({ it: 'shows events while the task runs', covers: ['STREAM-LIVE'] }, async ({ driver, agent }) => {
    const gate = unique('gate');
    const stream = oneByOne(driver.stream(say(`status before; wait ${gate}; complete after`)));
    expect(await stream.next()).toBe('task submitted');
    expect(await stream.next()).toBe('working');
    expect(await stream.next()).toBe('working before');
    await agent.gates.reached(gate);
    agent.gates.open(gate);
    expect(await stream.next()).toBe('completed after');
    expect(await stream.next()).toBeUndefined();
  });

  for (const [script, last] of [
    ['fail broken', 'failed broken'],
    ['reject not for me', 'rejected not for me'],
  ] as const) {
    scenario({ it: `ends with "${last}"`, covers: ['STREAM-ENDS-TERMINAL'] }, async ({ driver }) => {
      expect(outline(await allEvents(driver.stream(say(script)))).at(-1)).toBe(last);
    });
  }

  scenario(
    {
      it: 'ends when the agent asks; the next turn is a separate stream',
      covers: ['STREAM-ENDS-INPUT-REQUIRED', 'STREAM-TASK-FIRST'],
    },
    async ({ driver }) => {
      const asking = oneByOne(driver.stream(say('ask which one?')));
      const { id } = await asking.nextTask();
      expect((await asking.rest()).at(-1)).toBe('input_required which one?');
      const answering = oneByOne(driver.stream(say('complete red', { taskId: id })));
      expect((await answering.nextTask()).id).toBe(id);
      const rest = await answering.rest();
      expect(rest.at(-1)).toBe('completed red');
      expect(rest.join()).not.toContain('which one?');
    },
  );

  scenario(
    { it: 'stays open while the task needs authorization', covers: ['STREAM-OPEN-AUTH-REQUIRED'] },
    async ({ driver }) => {
      const stream = oneByOne(driver.stream(say('auth log in')));
      const { id } = await stream.nextTask();
      expect(await stream.next()).toBe('working');
      expect(await stream.next()).toBe('auth_required log in');
      await driver.send(say('complete thanks', { taskId: id }));
      expect((await stream.rest()).at(-1)).toBe('completed thanks');
    },
  );

  scenario(
    { it: 'is exactly one message for a direct answer', covers: ['STREAM-MESSAGE-ONLY'] },
    async ({ driver }) => {
      expect(outline(await allEvents(driver.stream(say('message good morning'))))).toEqual([
        'message good morning',
      ]);
    },
  );

  scenario({ it: 'fails with the errors of a send', covers: ['STREAM-REFUSED'] }, async ({ driver }) => {
    const ended = await sendForTask(driver, say('complete'));
    await expectStreamError(
      driver,
      'UNSUPPORTED_OPERATION',
      driver.stream(say('complete', { taskId: ended.id })),
    );
    await expectStreamError(
      driver,
      'TASK_NOT_FOUND',
      driver.stream(say('complete', { taskId: unique('task') })),
    );
    await expectStreamError(driver, 'INVALID_PARAMS', driver.stream(say('', { parts: [] })));
  });

  scenario(
    {
      it: 'gives every stream of a task the same events, even if one is closed',
      covers: ['STREAM-SAME-EVENTS', 'STREAM-CLOSE-INDEPENDENT'],
    },
    async ({ driver, agent }) => {
      const [gate, next] = [unique('gate'), unique('gate')];
      const script = `wait ${gate}; artifact a 1; wait ${next}; append a 2; append a 3; complete`;
      const sender = oneByOne(driver.stream(say(script)));
      const { id } = await sender.nextTask();
      await agent.gates.reached(gate);
      const leaving = oneByOne(driver.subscribe({ id }));
      const staying = [driver, await agent.driver(RAW_JSON_RPC)].map((client) => ({
        client,
        events: oneByOne(client.subscribe({ id })),
      }));
      for (const events of [leaving, ...staying.map((each) => each.events)]) {
        expect((await events.nextTask()).id).toBe(id);
      }
      agent.gates.open(gate);
      expect(await leaving.next()).toBe('artifact a 1');
      await leaving.leave();
      await sender.leave();
      agent.gates.open(next);
      for (const { client, events } of staying) {
        expect(await events.rest()).toEqual(
          asSeenBy(client, ['artifact a 1', 'artifact+ a 2', 'artifact+ a 3', 'completed']),
        );
      }
      expect((await driver.get({ id })).status.state).toBe('TASK_STATE_COMPLETED');
    },
  );

  check(
    {
      it: 'is an event stream that must not be cached',
      covers: ['STREAM-SSE'],
      surfaces: ['JSONRPC 1.0', 'HTTP+JSON 1.0', 'JSONRPC 0.3', 'HTTP+JSON 0.3'],
    },
    async ({ target }) => {
      const v03Message = {
        kind: 'message',
        messageId: unique('message'),
        role: 'user',
        parts: [{ kind: 'text', text: 'complete' }],
      };
      const v03ProtoMessage = {
        messageId: unique('message'),
        role: 'ROLE_USER',
        content: [{ text: 'complete' }],
      };
      const envelope = { jsonrpc: '2.0', id: 1 };
      const v1 = { 'a2a-version': '1.0' };
      for (const { url, headers, body } of [
        {
          url: target.jsonRpcUrl,
          headers: v1,
          body: { ...envelope, method: 'SendStreamingMessage', params: say('complete') },
        },
        { url: `${target.restUrl}/message:stream`, headers: v1, body: say('complete') },
        {
          url: target.jsonRpcUrl,
          headers: {},
          body: { ...envelope, method: 'message/stream', params: { message: v03Message } },
        },
        { url: `${target.restUrl}/v1/message:stream`, headers: {}, body: { message: v03ProtoMessage } },
      ]) {
        const response = await openHttp({
          url,
          headers: { 'content-type': 'application/json', ...headers },
          body: JSON.stringify(body),
        });
        expect(response.statusCode).toBe(200);
        expect(response.headers['content-type']).toMatch(/^text\/event-stream/);
        expect(response.headers['cache-control']).toMatch(/no-(cache|store)/);
        response.destroy();
      }
    },
  );
});
