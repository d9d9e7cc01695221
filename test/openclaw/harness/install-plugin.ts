import type { OpenClawHome } from './openclaw-home.ts';
import { runOpenClaw, type OpenClawRun } from './run-openclaw.ts';

/** Installs a packed plugin as a user does who has looked at it: from a file, and agreeing to what it can do. */
export async function installPlugin(home: OpenClawHome, tarball: string): Promise<OpenClawRun> {
  const run = await runOpenClaw(home, 'plugins', 'install', tarball, '--force', '--accept-capabilities');
  if (run.code !== 0) throw new Error(`The plugin was not installed:\n${run.stdout}${run.stderr}`);
  return run;
}
