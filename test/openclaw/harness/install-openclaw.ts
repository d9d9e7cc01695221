import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../../scripts/install-openclaw.mjs', import.meta.url));

/** Installs OpenClaw before the tests that need it. */
export function setup(): void {
  const { status } = spawnSync(process.execPath, [SCRIPT], { stdio: 'inherit' });
  if (status !== 0) throw new Error('OpenClaw could not be installed for the tests; see above.');
}
