/**
 * The commands that talk to an agent, and the files they are in. People and scripts start them often, so the published package
 * has them in a bundle, which loads much faster than some hundred files. The other commands stay apart: they run the code of
 * users, which must share the classes of `@holdword/runtime` with them, or start threads from files.
 */
export const BUNDLED_COMMANDS: ReadonlyMap<string, string> = new Map([
  ['send', 'send'],
  ['chat', 'chat'],
  ['card get', 'card'],
  ['task get', 'task'],
  ['task list', 'task'],
  ['task cancel', 'task'],
  ['task subscribe', 'task'],
  ['task fork', 'task'],
  ['task download', 'task'],
  ['task push-config', 'task'],
  ['auth login', 'auth'],
  ['auth logout', 'auth'],
  ['auth status', 'auth'],
  ['version', 'version'],
]);

/** Whether the bundle has what these words ask for: one of its commands, help on it, the overview or the version. */
export function isBundled(words: readonly string[]): boolean {
  const [first, second] = words[0] === 'help' ? words.slice(1) : words;
  if (first === undefined || first.startsWith('-')) return true;
  return BUNDLED_COMMANDS.has(first) || BUNDLED_COMMANDS.has(`${first} ${second}`);
}
