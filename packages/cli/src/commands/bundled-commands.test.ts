import { expect, test } from 'vitest';
import { loadCommands } from './all-commands.ts';
import { BUNDLED_COMMANDS, isBundled } from './bundled-commands.ts';
import { COMMAND_LIST } from './command-list.ts';

test('the bundle has all commands of its files, and no others', async () => {
  const bundled = COMMAND_LIST.map(({ name }) => name).filter((name) => isBundled(name.split(' ')));
  const inFiles = new Set<string>();
  for (const [name, file] of BUNDLED_COMMANDS) {
    const { commands } = await import(`../commands/${file}.ts`);
    expect(await loadCommands(name.split(' ')), name).toBe(commands);
    for (const command of commands) inFiles.add(command.name);
  }
  expect(bundled.toSorted()).toEqual([...inFiles].toSorted());
});

test('the overview, the version and help on a bundled command come from the bundle', () => {
  for (const words of [
    [],
    ['help'],
    ['--help'],
    ['--version'],
    ['help', 'card', 'get'],
    ['send', '--help'],
  ]) {
    expect(isBundled(words), words.join(' ')).toBe(true);
  }
  for (const words of [
    ['serve'],
    ['help', 'serve'],
    ['task', 'show', 't'],
    ['help', 'task', 'export'],
    ['x'],
  ]) {
    expect(isBundled(words), words.join(' ')).toBe(false);
  }
});
