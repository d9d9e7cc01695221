import { expect, test } from 'vitest';
import { mayHaveOtherTools, unknownTools } from './tool-names.ts';

test.each([
  [['raed'], [{ tool: 'raed', index: 0, meant: 'read' }]],
  [['read', 'web_serch'], [{ tool: 'web_serch', index: 1, meant: 'web_search' }]],
  [['Read', 'bash', 'group:fs', 'web_*', 'remote_agent', 'my_plugin_tool'], []],
])('of %j the misspelt ones are %j', (tools, misspelt) => {
  expect(unknownTools(tools, { hasOtherTools: true })).toEqual(misspelt);
});

test('all tools have no misspelt name', () => {
  expect(unknownTools('all', { hasOtherTools: false })).toEqual([]);
});

test('a name that nothing can have added is unknown', () => {
  const tools = ['Read', 'bash', 'group:fs', 'web_*', 'remote_agent', 'no_such_tool'];
  expect(unknownTools(tools, { hasOtherTools: false })).toEqual([{ tool: 'no_such_tool', index: 5 }]);
});

test.each([
  [{}, false],
  [{ plugins: { entries: { 'openclaw-a2a-inbound': {}, 'openclaw-a2a-outbound': {} } } }, false],
  [{ plugins: { entries: { lobster: { enabled: true } } } }, true],
  [{ plugins: { load: { paths: ['/plugins'] } } }, true],
  [{ mcp: { servers: { files: {} } } }, true],
])('%j may have other tools: %s', (config, expected) => {
  expect(mayHaveOtherTools(config)).toBe(expected);
});
