import { expect, test } from 'vitest';
import { misspeltTools } from './tool-names.ts';

test.each([
  [['raed'], [{ tool: 'raed', index: 0, meant: 'read' }]],
  [['read', 'web_serch'], [{ tool: 'web_serch', index: 1, meant: 'web_search' }]],
  [['Read', 'bash', 'group:fs', 'web_*', 'remote_agent', 'my_plugin_tool'], []],
])('of %j the misspelt ones are %j', (tools, misspelt) => {
  expect(misspeltTools(tools)).toEqual(misspelt);
});

test('all tools have no misspelt name', () => {
  expect(misspeltTools('all')).toEqual([]);
});
