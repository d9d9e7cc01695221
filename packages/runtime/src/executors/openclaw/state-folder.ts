import { homedir } from 'node:os';
import { join } from 'node:path';
import type { OpenClawSettings } from './openclaw-options.ts';

/** The folder in which OpenClaw keeps its state, by the same variables it looks at itself. */
export function openClawStateFolder(environment: NodeJS.ProcessEnv): string {
  const { OPENCLAW_STATE_DIR: given, HOME: home = homedir() } = environment;
  return given || join(home, '.openclaw');
}

/**
 * Folders whose files OpenClaw may send, beside its workspace. Of its state that is the media alone: the rest holds keys
 * and conversations.
 */
export function openClawFileFolders({ envVars, workingDirectory }: OpenClawSettings): string[] {
  const media = join(openClawStateFolder({ ...process.env, ...envVars }), 'media');
  return workingDirectory === undefined ? [media] : [workingDirectory, media];
}
