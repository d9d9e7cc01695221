import { fileURLToPath } from 'node:url';

/** A program that takes the arguments of `openclaw agent` and prints recorded shapes; see its source. */
export const FAKE_OPENCLAW = fileURLToPath(new URL('./fake-openclaw.sh', import.meta.url));

/** Where no gateway is, so that the program is used whatever runs on this machine. */
export const NO_GATEWAY = { url: 'ws://127.0.0.1:1' };
