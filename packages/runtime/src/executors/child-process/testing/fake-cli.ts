import { fileURLToPath } from 'node:url';

/** The path of a command-line agent that does what its arguments say: a shell script for `/bin/sh`. */
export const FAKE_CLI = fileURLToPath(new URL('./fake-cli.sh', import.meta.url));
