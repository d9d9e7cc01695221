import { fileURLToPath } from 'node:url';

/** A program that accepts the arguments of `openclaw agent` and prints answers in its format; see its source. */
export const FAKE_OPENCLAW = fileURLToPath(new URL('./fake-openclaw.sh', import.meta.url));

/** An address without a gateway, so that the program is used even if a gateway runs on this machine. */
export const NO_GATEWAY = { url: 'ws://127.0.0.1:1' };
