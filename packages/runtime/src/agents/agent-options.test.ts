import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { claudeCode, openclaw } from './agent-kinds.ts';
import { processOptions, processSettings, readOptions } from './agent-options.ts';

function read(given: Record<string, unknown>): unknown {
  return readOptions(openclaw, given);
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

const DEFAULTS = {
  timeout: 300,
  openclawPath: 'openclaw',
  envVars: {},
  passEnvironment: [],
  asyncMode: true,
  maxFileBytes: 8_388_608,
  maxOutputBytes: 16_777_216,
};

test('names with underscores are accepted as well', () => {
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
  ).toEqual({ ...DEFAULTS, ...OPTIONS });
  expect(read(OPTIONS)).toEqual({ ...DEFAULTS, ...OPTIONS });
  expect(read({ agent_id: null, session_id: undefined })).toEqual(DEFAULTS);
});

test.each([
  [
    { thinking: 'a lot' },
    'Invalid option thinking of agent openclaw: expected one of off, minimal, low, medium, high,',
  ],
  [
    { timeout: 0 },
    'Invalid option timeout of agent openclaw: expected a number of seconds above 0, or "none", found 0.',
  ],
  [{ timeout: -1 }, 'above 0, or "none", found -1.'],
  [{ timeout: NaN }, 'above 0, or "none", found NaN.'],
  [{ timeout: -Infinity }, 'above 0, or "none", found -Infinity.'],
  [{ timeout: '5' }, 'above 0, or "none", found a string.'],
  [
    { session_id: 'My Session' },
    'sessionId of agent openclaw: expected up to 64 characters of a-z, 0-9, _ and -',
  ],
  [
    { openclaw_path: '' },
    'openclawPath of agent openclaw: expected a non-empty string, found an empty string.',
  ],
  [{ env_vars: { KEY: 1 } }, 'envVars.KEY of agent openclaw: expected a string, found 1.'],
  [{ env_vars: { 'A=B': 'x' } }, 'names are not empty and contain no "=", found "A=B".'],
  [{ env_vars: { '': 'x' } }, 'names are not empty and contain no "="'],
  [{ thinking: 'HIGH' }, 'thinking of agent openclaw: expected one of off, minimal, low, medium, high,'],
  [{ thinking: 'HIGH' }, 'found "HIGH".'],
  [{ agent_id: '--local' }, 'agentId of agent openclaw: expected up to 64 letters, digits, _ and -'],
  [{ async_mode: 'yes' }, 'asyncMode of agent openclaw: expected true or false, found a string.'],
  [{ sesion_id: 'a' }, 'Unknown option "sesion_id" of agent openclaw. Did you mean "sessionId"?'],
  [
    { colour: 'red' },
    'Unknown option "colour" of agent openclaw. Valid options are timeout, asyncMode, sessionId,',
  ],
  [
    { session_id: 'a', sessionId: 'b' },
    'The option sessionId of agent openclaw is given twice, as session_id and as sessionId. Remove one of them.',
  ],
])('%j is rejected', (given, message) => {
  expect(() => read(given)).toThrow(
    expect.objectContaining({ message: expect.stringContaining(message), code: 'agent-options' }),
  );
});

test('a value is not repeated because it may be a secret', () => {
  const given = { model: { key: 'sk-12345678' } };
  expect(() => readOptions(claudeCode, given)).toThrow(/found an object\.$/);
});

const PROCESS_DEFAULTS = z.object(processOptions).parse({});

test('settings that are not given have their defaults', () => {
  expect(processSettings(PROCESS_DEFAULTS)).toEqual({
    timeoutMilliseconds: 300_000,
    maxOutputBytes: 16_777_216,
    environment: { names: [], values: {} },
    workingDirectory: { fixed: process.cwd() },
  });
});

test('seconds become milliseconds, and variables the environment', () => {
  expect(
    processSettings({
      ...PROCESS_DEFAULTS,
      timeout: 1.5,
      maxOutputBytes: 2_048,
      envVars: { A: 'b' },
      passEnvironment: ['MY_*'],
      workingDirectory: tmpdir(),
    }),
  ).toEqual({
    timeoutMilliseconds: 1_500,
    maxOutputBytes: 2_048,
    environment: { names: ['MY_*'], values: { A: 'b' } },
    workingDirectory: { fixed: tmpdir() },
  });
});

test.each([Infinity, 'none', null])('a turn may take for ever with the timeout %s', (timeout) => {
  const valid = readOptions<{ timeout: number | 'none' }>(claudeCode as never, { timeout });
  expect(processSettings({ ...PROCESS_DEFAULTS, ...valid }).timeoutMilliseconds).toBe(Infinity);
});

test('each context can have its own folder', () => {
  expect(
    processSettings({ ...PROCESS_DEFAULTS, workingDirectory: '/srv', directoryPerContext: true }),
  ).toMatchObject({
    workingDirectory: { perContextIn: '/srv' },
  });
});

test('a working directory that does not exist is rejected before the first task', () => {
  expect(() => processSettings({ ...PROCESS_DEFAULTS, workingDirectory: '/nowhere' })).toThrow(
    'The option workingDirectory names /nowhere, which is not a folder. Create it, or name another.',
  );
});
