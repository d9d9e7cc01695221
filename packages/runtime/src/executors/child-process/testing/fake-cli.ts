import { fileURLToPath } from 'node:url';

/** The path of a command-line agent that does what its words say: a shell script, to be run by `/bin/sh`. */
export const FAKE_CLI = fileURLToPath(new URL('./fake-cli.sh', import.meta.url));
