import { fileURLToPath } from 'node:url';

/** A program that accepts the arguments of `openclaw agent` and prints answers in its format; see its source. */
export const FAKE_OPENCLAW = fileURLToPath(new URL('./fake-openclaw.sh', import.meta.url));
