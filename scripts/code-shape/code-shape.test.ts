import { expect, test } from 'vitest';
import { filesOfASend } from './files-of-a-send.ts';
import { cyclesIn } from './import-graph.ts';
import { measureCode } from './measure.ts';

// A bound that a change needs to raise is a change of the architecture: say why in docs/decisions.
test('the product is cut by concept', async () => {
  const shape = await measureCode();
  expect(shape.files).toBeLessThanOrEqual(1080);
  expect(shape.singleImporterShare).toBeLessThanOrEqual(0.46);
  expect(shape.importLineShare).toBeLessThanOrEqual(0.1);
  expect(shape.longestFile.lines).toBeLessThanOrEqual(400);
  expect(shape.cycles.length).toBeLessThanOrEqual(10);
  expect(shape.filesNamingOperation.length).toBeLessThanOrEqual(20);
});

test('a message is followed through few files', { timeout: 60_000 }, async () => {
  const files = await filesOfASend();
  expect(files).toContain('packages/runtime/src/operations/send-message.ts');
  expect(files.length).toBeLessThanOrEqual(85);
});

test('files that import each other are one cycle, others none', () => {
  const graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', ['a']],
    ['d', []],
    ['e', ['d']],
  ]);
  expect(cyclesIn(graph)).toEqual([['a', 'b', 'c']]);
});
