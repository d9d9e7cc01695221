import type { V03Part, V03TaskState, V03TaskStatus } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { type Asking, askingOf, elicitationOf, readAnswer } from './task-elicitation.ts';

const ALL: Asking = { form: true, url: true };

function asked(data: unknown, state: V03TaskState = 'input-required', text = 'What?'): V03TaskStatus {
  const parts: V03Part[] = [{ kind: 'text', text }];
  if (data !== undefined) parts.push({ kind: 'data', data: data as Record<string, unknown> });
  return { state, message: { kind: 'message', messageId: 'm', role: 'agent', parts } };
}

function elicit(status: V03TaskStatus, asking = ALL) {
  const elicitation = elicitationOf('bot', status, asking);
  if (elicitation === undefined) throw new Error('Expected a question.');
  return elicitation;
}

function schemaOf(status: V03TaskStatus): unknown {
  return (elicit(status).request.params as Record<string, unknown>)['requestedSchema'];
}

test.each([
  [undefined, { form: false, url: false }],
  [{ elicitation: {} }, { form: true, url: false }],
  [{ elicitation: { form: {} } }, { form: true, url: false }],
  [{ elicitation: { url: {} } }, { form: false, url: true }],
  [{ elicitation: { form: {}, url: {} } }, { form: true, url: true }],
])('%j allows %j', (capabilities, asking) => {
  expect(askingOf(capabilities)).toEqual(asking);
});

const TEXT_FORM = {
  type: 'object',
  properties: { answer: { type: 'string', title: 'Answer', minLength: 1 } },
  required: ['answer'],
};

test('a question without a schema is a form with one field', () => {
  const question = elicit(asked(undefined));
  expect(question.request).toMatchObject({
    method: 'elicitation/create',
    params: { mode: 'form', message: 'The agent "bot" asks: What?', requestedSchema: TEXT_FORM },
  });
  const answer = { action: 'accept', content: { answer: 'this' } };
  expect(readAnswer(question, answer)).toEqual([{ text: 'this' }]);
});

test('choices are a list to choose from', () => {
  const question = elicit(asked({ approval: { decisions: ['allow-once', 'deny'] } }));
  expect(schemaOf(asked({ choices: [{ value: 'a', label: 'First' }, 'b'] }))).toMatchObject({
    properties: {
      answer: {
        oneOf: [
          { const: 'a', title: 'First' },
          { const: 'b', title: 'b' },
        ],
      },
    },
  });
  const choose = (answer: string) => readAnswer(question, { action: 'accept', content: { answer } });
  expect(choose('deny')).toEqual([{ text: 'deny' }]);
  expect(() => choose('maybe')).toThrow(/answer: expected/);
});

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', pattern: '(a+)+$', description: 'Where to' },
    nights: { type: 'integer', minimum: 1, maximum: 30 },
    breakfast: { type: 'boolean' },
    room: { type: 'string', enum: ['single', 'double'] },
    extras: { type: 'array', items: { type: 'string', enum: ['sauna', 'gym'] } },
  },
  required: ['city', 'nights', 'nothing'],
};

test('a schema is a form without what forms do not have, and its answer is data', () => {
  const question = elicit(asked({ schema: SCHEMA }));
  const { city, ...others } = SCHEMA.properties;
  expect(schemaOf(asked({ schema: SCHEMA }))).toEqual({
    type: 'object',
    properties: { ...others, city: { type: city.type, description: city.description } },
    required: ['city', 'nights'],
  });
  const content = { city: 'Bern', nights: 2, extras: ['gym'] };
  expect(readAnswer(question, { action: 'accept', content })).toEqual([{ data: content }]);
  const tooLong = { city: 'Bern', nights: 31 };
  expect(() => readAnswer(question, { action: 'accept', content: tooLong })).toThrow(/nights: /);
  expect(() => readAnswer(question, { action: 'accept' })).toThrow(/city/);
});

test.each([
  ['nested', { type: 'object', properties: { a: { type: 'object', properties: {} } } }],
  ['empty', { type: 'object', properties: {} }],
  ['too large', { type: 'object', properties: { a: { type: 'string', description: 'x'.repeat(9_000) } } }],
  [
    'with too many fields',
    { properties: Object.fromEntries(Array.from({ length: 31 }, (_, n) => [`f${n}`, { type: 'boolean' }])) },
  ],
])('a schema that is %s gives a form with one field', (_, schema) => {
  expect(schemaOf(asked({ schema }))).toEqual(TEXT_FORM);
});

test('a field may have any name', () => {
  const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}') as object;
  const question = elicit(asked({ schema }));
  const content = JSON.parse('{"__proto__": "x"}') as object;
  expect(readAnswer(question, { action: 'accept', content })).toHaveLength(1);
});

test('a login with a URL opens it, and continues the task with consent', () => {
  const url = 'https://login.example/device';
  const question = elicit(asked({ authUrl: url }, 'auth-required', 'Please log in.'));
  expect(question.request).toEqual({
    method: 'elicitation/create',
    params: { mode: 'url', message: 'The agent "bot" asks you to authenticate: Please log in.', url },
  });
  expect(readAnswer(question, { action: 'accept' })).toEqual([
    { text: expect.stringContaining('agreed') as string },
  ]);
});

test.each(['javascript:alert(1)', 'file:///etc/passwd', `https://login.example/${'x'.repeat(2_000)}`, 7])(
  'a login at %s is only confirmed, without fields for credentials',
  (url) => {
    expect(elicit(asked({ url }, 'auth-required')).request.params).toEqual({
      mode: 'form',
      message: 'The agent "bot" asks you to authenticate: What?',
      requestedSchema: { type: 'object', properties: {}, required: [] },
    });
  },
);

test('a host is only asked what it can ask its user', () => {
  const login = asked({ url: 'https://login.example/' }, 'auth-required');
  expect(elicitationOf('bot', asked(undefined), { form: false, url: true })).toBeUndefined();
  expect(elicitationOf('bot', login, { form: false, url: false })).toBeUndefined();
  expect(elicitationOf('bot', login, { form: true, url: false })?.request.params).toMatchObject({
    mode: 'form',
    message: expect.stringContaining('https://login.example/') as string,
  });
});

test('what the agent wrote is bounded', () => {
  const { message } = elicit(asked(undefined, 'input-required', 'x'.repeat(1_000_000))).request.params as {
    message: string;
  };
  expect(message.length).toBeLessThan(2_200);
});

test.each([
  [{ action: 'decline' }, 'declined'],
  [{ action: 'cancel' }, 'declined'],
])('%j is %s', (response, answer) => {
  expect(readAnswer(elicit(asked(undefined)), response)).toBe(answer);
});

test.each([undefined, 'yes', {}, { action: 'approve' }, { action: 'accept', content: { answer: { a: 1 } } }])(
  '%j is no answer',
  (response) => {
    expect(() => readAnswer(elicit(asked(undefined)), response)).toThrow(/expected/);
  },
);
