import type { Command } from '../command-line/command.ts';

type CommandFile = () => Promise<{ readonly commands: readonly Command[] }>;

const database: CommandFile = () => import('./db.ts');

/** The files of the commands, by the first word of their names, in the order of the overview. */
const FILES: ReadonlyMap<string, CommandFile> = new Map([
  ['serve', () => import('./serve.ts')],
  ['hub', () => import('./hub.ts')],
  ['send', () => import('./send.ts')],
  ['card', () => import('./card.ts')],
  ['task', () => import('./task.ts')],
  ['mcp', () => import('./mcp.ts')],
  ['keys', () => import('./keys.ts')],
  ['push', () => import('./push.ts')],
  ['tasks', () => import('./tasks.ts')],
  ['config', () => import('./config.ts')],
  ['openclaw', () => import('./openclaw.ts')],
  ['db', database],
  ['backup', database],
  ['completion', () => import('./completion.ts')],
  ['version', () => import('./version.ts')],
]);

/** Loads the commands whose names begin with a word, and others of the same file. Undefined if there are none. */
export async function loadCommands(word: string): Promise<readonly Command[] | undefined> {
  return (await FILES.get(word)?.())?.commands;
}

export async function loadAllCommands(): Promise<readonly Command[]> {
  const files = await Promise.all([...new Set(FILES.values())].map((load) => load()));
  return files.flatMap(({ commands }) => commands);
}
