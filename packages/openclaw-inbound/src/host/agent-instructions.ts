import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOurs } from './live-sessions.ts';

/** The gateway's event before it builds a system prompt. */
export interface BootstrapEvent {
  readonly sessionKey: string;
  /** With the workspace, and its files for the prompt; a hook may replace them. */
  readonly context: Record<string, unknown>;
}

/** The instructions of an agent. The other files that OpenClaw puts into prompts are private. */
const INSTRUCTIONS = 'AGENTS.md';

/**
 * Adds the instructions in a workspace to a prompt without files. Called by the gateway before it builds the prompt of any
 * session, for the workspace of the agent and for that of the session: turns without private files are dispatched without any
 * files. If this fails, the prompt has none.
 */
export async function addInstructions({ sessionKey, context }: BootstrapEvent): Promise<void> {
  const { workspaceDir, bootstrapFiles: files } = context;
  if (!isOurs(sessionKey) || typeof workspaceDir !== 'string' || !Array.isArray(files) || files.length > 0)
    return;
  const path = join(workspaceDir, INSTRUCTIONS);
  const content = await readFile(path, 'utf8').catch(() => undefined);
  if (content === undefined) return;
  context['bootstrapFiles'] = [{ name: INSTRUCTIONS, path, content, missing: false }];
}
