import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder in which OpenClaw keeps its state, by the same variables it looks at itself. */
export function openClawStateFolder(environment: NodeJS.ProcessEnv): string {
  const { OPENCLAW_STATE_DIR: given, HOME: home = homedir() } = environment;
  return given ? given : join(home, '.openclaw');
}

/** Where OpenClaw puts the media it sends. The rest of its state holds keys and sessions. */
export function openClawMediaFolder(environment: NodeJS.ProcessEnv): string {
  return join(openClawStateFolder(environment), 'media');
}
