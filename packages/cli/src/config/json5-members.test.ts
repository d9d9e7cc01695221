import { describe, expect, test } from 'vitest';
import { membersAt, replaceMember, type Member } from './json5-members.ts';

const TEXT = `// The gateway's own file
{
  gateway: { port: 18789, note: "a } and // no comment" },
  "channels": {
    'a2a': { /* { */ accounts: { default: { urls: ['{', "it's"] } }, enabled: true },
    slack: { token: 'x' }, // last
  },
}
`;

describe('the members of an object', () => {
  test.each<[readonly string[], string[] | undefined]>([
    [[], ['gateway', 'channels']],
    [['channels'], ['a2a', 'slack']],
    [
      ['channels', 'a2a'],
      ['accounts', 'enabled'],
    ],
    [['channels', 'a2a', 'enabled'], undefined],
    [['channels', 'matrix'], undefined],
    [['gateway', 'port', 'deeper'], undefined],
  ])('at %j are found by name', (path, names) => {
    expect(membersAt(TEXT, path)?.map(({ name }) => name)).toEqual(names);
  });

  test('have the text of their values', () => {
    expect(membersAt(TEXT, ['channels', 'a2a'])?.[0]?.value).toBe(`{ default: { urls: ['{', "it's"] } }`);
  });

  test('of an empty file are none', () => {
    expect(membersAt(' // nothing\n', [])).toBeUndefined();
  });
});

const member = (path: readonly string[], name: string): Member => {
  const found = membersAt(TEXT, path)?.find((each) => each.name === name);
  if (found === undefined) throw new Error('Expected a member.');
  return found;
};

describe('replacing a member', () => {
  test('removes its comma and leaves everything else', () => {
    const cut = replaceMember(TEXT, member(['channels'], 'a2a'), '/* moved */');
    expect(membersAt(cut, ['channels'])?.map(({ name }) => name)).toEqual(['slack']);
    expect(cut).toContain('// last');
    expect(cut.startsWith("// The gateway's own file\n{\n  gateway: { port: 18789,")).toBe(true);
  });

  test('works for the last one, which may have no comma', () => {
    const cut = replaceMember(TEXT, member(['channels', 'a2a'], 'enabled'), '');
    expect(membersAt(cut, ['channels', 'a2a'])?.map(({ name }) => name)).toEqual(['accounts']);
  });

  test('of plain JSON leaves JSON5', () => {
    const text = JSON.stringify({ channels: { a2a: { accounts: {} } }, z: 1 }, null, 2);
    const [a2a] = membersAt(text, ['channels']) ?? [];
    const cut = replaceMember(text, a2a as Member, '/* moved */');
    expect(membersAt(cut, ['channels'])).toEqual([]);
    expect(membersAt(cut, [])?.map(({ name }) => name)).toEqual(['channels', 'z']);
  });
});

test.each([
  ['{ a 1 }', 'unexpected "1" in line 1'],
  ['{\n a: 1\n b: 2 }', 'unexpected "b" in line 3'],
  ['{ a: }', 'unexpected "}" in line 1'],
  ['{ a: { b: 1 }', 'it ends in the middle of an object'],
  ['{ a: "open }', 'unexpected "\\"" in line 1'],
])('%j is rejected: %s', (text, message) => {
  expect(() => membersAt(text, [])).toThrow(new SyntaxError(message));
});
