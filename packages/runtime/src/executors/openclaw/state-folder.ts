import { homedir } from 'node:os';
import { join } from 'node:path';
import type { OpenClawSettings } from './openclaw-options.ts';

/** The state folder of OpenClaw, from the same variables that OpenClaw reads. */
export function openClawStateFolder(environment: NodeJS.ProcessEnv): string {
  const { OPENCLAW_STATE_DIR: given, HOME: home = homedir() } = environment;
  return given || join(home, '.openclaw');
}

/**
 * Folders whose files OpenClaw may send, in addition to its workspace. Of its state, only the media: the rest contains keys
 * and conversations.
 */
export function openClawFileFolders({ envVars, workingDirectory }: OpenClawSettings): string[] {
  const media = join(openClawStateFolder({ ...process.env, ...envVars }), 'media');
  return workingDirectory === undefined ? [media] : [workingDirectory, media];
}
