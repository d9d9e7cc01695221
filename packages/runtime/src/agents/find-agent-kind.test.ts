import { expect, test } from 'vitest';
import { findAgentKind } from './find-agent-kind.ts';

test('an agent is found by its name', () => {
  expect(findAgentKind('openclaw')).toMatchObject({ kind: { name: 'openclaw' }, options: {} });
});

test('what follows a name and a colon is its main option, further colons included', () => {
  expect(findAgentKind('exec:echo a:b {prompt}')?.options).toEqual({ command: 'echo a:b {prompt}' });
  expect(findAgentKind('openai:llama3:8b')?.options).toEqual({ model: 'llama3:8b' });
});

test.each(['./exec.ts', 'C:\\agent.ts', 'unknown', 'codex:fast', ''])('%j is not an agent kind', (text) => {
  expect(findAgentKind(text)).toBeUndefined();
});
