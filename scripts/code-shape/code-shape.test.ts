import { expect, test } from 'vitest';
import { filesOfASend } from './files-of-a-send.ts';
import { cyclesIn, folderCyclesIn } from './import-graph.ts';
import { measureCode } from './measure.ts';

// A bound that a change needs to raise is a change of the architecture: say why in docs/decisions.
test('the product is cut by concept', async () => {
  const shape = await measureCode();
  expect(shape.files).toBeLessThanOrEqual(900);
  expect(shape.singleImporterShare).toBeLessThanOrEqual(0.36);
  expect(shape.importLineShare).toBeLessThanOrEqual(0.07);
  expect(shape.longestFile.lines).toBeLessThanOrEqual(400);
  expect(shape.cycles).toEqual([]);
  expect(shape.folderCycles).toEqual([]);
  expect(shape.filesNamingOperation.length).toBeLessThanOrEqual(6);
});

test('a message is followed through few files', { timeout: 60_000 }, async () => {
  const files = await filesOfASend();
  expect(files).toContain('packages/runtime/src/operations/send-message.ts');
  expect(files.length).toBeLessThanOrEqual(45);
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

test('folders that import each other are a cycle, even where no file does', () => {
  const graph = new Map([
    ['src/engine/turn.ts', ['src/serve/limits.ts']],
    ['src/serve/limits.ts', []],
    ['src/serve/http/handler.ts', ['src/engine/engine.ts', 'src/serve/limits.ts']],
    ['src/engine/engine.ts', []],
    ['src/index.ts', ['src/engine/engine.ts']],
  ]);
  expect(cyclesIn(graph)).toEqual([]);
  expect(folderCyclesIn(graph)).toEqual([['src/engine', 'src/serve']]);
});

test('a file and the folder beside it can be a cycle', () => {
  const graph = new Map([
    ['src/store/open.ts', ['src/store/sqlite/store.ts']],
    ['src/store/sqlite/lock.ts', ['src/store/open.ts']],
    ['src/store/sqlite/store.ts', []],
  ]);
  expect(folderCyclesIn(graph)).toEqual([['src/store/open.ts', 'src/store/sqlite']]);
});
