import type { Command } from '../command-line/command.ts';

type CommandFile = () => Promise<{ readonly commands: readonly Command[] }>;

const pairing: CommandFile = () => import('./pair.ts');
const database: CommandFile = () => import('./db.ts');
const journal: CommandFile = () => import('./task-journal.ts');
const recordings: CommandFile = () => import('./task-recordings.ts');

/**
 * The files of the commands, by the first word of their names, in the order of the overview. By two words where one command
 * needs much more than the others.
 */
const FILES: ReadonlyMap<string, CommandFile> = new Map([
  ['serve', () => import('./serve.ts')],
  ['hub', () => import('./hub.ts')],
  ['connect', () => import('./connect.ts')],
  ['agents', () => import('./agents.ts')],
  ['send', () => import('./send.ts')],
  ['chat', () => import('./chat.ts')],
  ['card', () => import('./card.ts')],
  ['task', () => import('./task.ts')],
  ['task show', journal],
  ['task events', journal],
  ['task replay', journal],
  ['task export', recordings],
  ['task import', recordings],
  ['auth', () => import('./auth.ts')],
  ['conformance', () => import('./conformance.ts')],
  ['demo-server', () => import('./demo-server.ts')],
  ['skill', () => import('./skill.ts')],
  ['mock', () => import('./mock.ts')],
  ['record', () => import('./record.ts')],
  ['diff', () => import('./diff.ts')],
  ['env', () => import('./env.ts')],
  ['import', () => import('./import.ts')],
  ['pair', pairing],
  ['join', pairing],
  ['mcp', () => import('./mcp.ts')],
  ['keys', () => import('./keys.ts')],
  ['console', () => import('./console.ts')],
  ['push', () => import('./push.ts')],
  ['tasks', () => import('./tasks.ts')],
  ['init', () => import('./init.ts')],
  ['doctor', () => import('./doctor.ts')],
  ['config', () => import('./config.ts')],
  ['openclaw', () => import('./openclaw.ts')],
  ['db', database],
  ['backup', database],
  ['completion', () => import('./completion.ts')],
  ['version', () => import('./version.ts')],
]);

/** Loads the command that the words name, and others of the same file. Undefined if there are none. */
export async function loadCommands(words: readonly string[]): Promise<readonly Command[] | undefined> {
  const [first = '', second = ''] = words;
  const load = FILES.get(`${first} ${second}`) ?? FILES.get(first);
  return (await load?.())?.commands;
}

export async function loadAllCommands(): Promise<readonly Command[]> {
  const files = await Promise.all([...new Set(FILES.values())].map((load) => load()));
  return files.flatMap(({ commands }) => commands);
}
