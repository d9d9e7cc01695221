import { expect, test } from 'vitest';
import { childEnvironment } from './child-environment.ts';

const SERVER = {
  PATH: '/bin',
  LC_ALL: 'C',
  AWS_SECRET_ACCESS_KEY: 'of the server',
  HOLDWORD_TOKEN: 'of the server',
  TOOL_KEY: 'key',
  TOOL_MODEL: 'large',
  TOOLBOX: 'other',
};

test('passes on the usual variables and no others', () => {
  expect(childEnvironment([], SERVER)).toEqual({ PATH: '/bin', LC_ALL: 'C' });
});

test('passes on variables by name or by prefix', () => {
  const usual = { PATH: '/bin', LC_ALL: 'C' };
  expect(childEnvironment([{ names: ['TOOL_KEY'] }], SERVER)).toEqual({ ...usual, TOOL_KEY: 'key' });
  expect(childEnvironment([{ names: ['TOOL_*'] }, { names: ['ABSENT'] }], SERVER)).toEqual({
    ...usual,
    TOOL_KEY: 'key',
    TOOL_MODEL: 'large',
  });
});

test('values win, later ones over earlier ones', () => {
  const choices = [
    { values: { PATH: '/first', A: '1' } },
    { names: ['TOOL_KEY'], values: { PATH: '/second' } },
  ];
  expect(childEnvironment(choices, SERVER)).toEqual({
    PATH: '/second',
    LC_ALL: 'C',
    A: '1',
    TOOL_KEY: 'key',
  });
});

test('passes on settings of the server only by their full name, never by a pattern', () => {
  expect(childEnvironment([{ names: ['*', 'HOLDWORD_*'] }], SERVER)).not.toHaveProperty('HOLDWORD_TOKEN');
  expect(childEnvironment([{ names: ['HOLDWORD_TOKEN'] }], SERVER)).toHaveProperty('HOLDWORD_TOKEN');
});
