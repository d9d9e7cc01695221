/** What the build replaces by a bundle, with the commands that bundled-commands.ts lists. */
export { createTerminal } from './command-line/terminal.ts';
export { runCli } from './run-cli.ts';
