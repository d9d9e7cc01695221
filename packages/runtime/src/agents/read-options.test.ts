import { expect, test } from 'vitest';
import { claudeCode } from './kinds/claude-code.ts';
import { openclaw } from './kinds/openclaw.ts';
import { readOptions } from './read-options.ts';

function read(given: Record<string, unknown>): unknown {
  return readOptions('openclaw', openclaw.options, given);
}

const OPTIONS = {
  sessionId: 'my-session',
  agentId: 'main',
  thinking: 'xhigh',
  timeout: 60,
  openclawPath: '/opt/openclaw',
  workingDirectory: '/srv',
  envVars: { A: 'b' },
  asyncMode: false,
};

test('names with underscores are taken as well', () => {
  expect(
    read({
      session_id: 'my-session',
      agent_id: 'main',
      thinking: 'xhigh',
      timeout: 60,
      openclaw_path: '/opt/openclaw',
      working_directory: '/srv',
      env_vars: { A: 'b' },
      async_mode: false,
    }),
  ).toEqual(OPTIONS);
  expect(read(OPTIONS)).toEqual(OPTIONS);
  expect(read({ agent_id: null, session_id: undefined })).toEqual({});
});

test.each([
  [{ thinking: 'a lot' }, 'thinking of the agent openclaw: expected one of off, minimal, low, medium, high,'],
  [{ timeout: 0 }, 'timeout of the agent openclaw: expected a number of seconds above 0, found a number.'],
  [{ session_id: 'My Session' }, 'sessionId of the agent openclaw: expected up to 64 of a-z, 0-9, _ and -'],
  [
    { openclaw_path: '' },
    'openclawPath of the agent openclaw: expected a text that is not empty, found an empty one.',
  ],
  [{ env_vars: { KEY: 1 } }, 'envVars of the agent openclaw: expected a text, found an object.'],
  [{ async_mode: 'yes' }, 'asyncMode of the agent openclaw: expected true or false, found a string.'],
  [{ sesion_id: 'a' }, 'has no option "sesion_id"; did you mean "sessionId"?'],
  [{ colour: 'red' }, 'has no option "colour"; it has timeout, asyncMode, workingDirectory,'],
  [{ session_id: 'a', sessionId: 'b' }, 'sessionId of the agent openclaw is given twice'],
])('refuses %j', (given, message) => {
  expect(() => read(given)).toThrow(message);
});

test('a value is not repeated, for it may be a secret', () => {
  const given = { model: { key: 'sk-12345678' } };
  expect(() => readOptions('claude-code', claudeCode.options, given)).toThrow(/found an object\.$/);
});
