import { join, resolve } from 'node:path';
import {
  A2ASession,
  A2ATools,
  JSONTaskStore,
  LocalFileStore,
  type A2AAgents,
  type A2ASessionOptions,
  type ExtraToolName,
} from '@holdword/client';
import { EXTRA_TOOL_NAMES } from '@holdword/client/internal';
import type { CommandInput } from '../arguments/command.ts';
import { parseDuration } from '../commands/parse-duration.ts';
import { UsageError } from '../usage-error.ts';

/** Many hosts time out a tool call after a minute. Returning a task that is still running before that is better. */
const DEFAULT_TIMEOUT_SECONDS = 45;

/** The tools, configured by the options. */
export function openTools(
  agents: A2AAgents,
  { options, workingFolder }: Pick<CommandInput, 'options' | 'workingFolder'>,
): A2ATools {
  const given = options['timeout'];
  const timeout = given === undefined ? DEFAULT_TIMEOUT_SECONDS : parseDuration(given, '--timeout') / 1000;
  const session = new A2ASession(agents, {
    ...storesIn(options['data'], workingFolder),
    sendMessageTimeout: timeout,
    getTaskTimeout: timeout,
  });
  return new A2ATools(session, { extraTools: extraTools(options['extra-tools']) });
}

function storesIn(folder: string | undefined, workingFolder: string): A2ASessionOptions {
  if (folder === undefined) return {};
  const path = resolve(workingFolder, folder);
  return {
    taskStore: new JSONTaskStore(join(path, 'tasks')),
    fileStore: new LocalFileStore(join(path, 'files')),
  };
}

function extraTools(text: string | undefined): ExtraToolName[] {
  if (text === undefined) return [];
  if (text === 'all') return [...EXTRA_TOOL_NAMES];
  return text.split(',').map((each) => {
    const name = EXTRA_TOOL_NAMES.find((known) => known === each.trim());
    if (name !== undefined) return name;
    throw new UsageError(
      `--extra-tools: expected ${EXTRA_TOOL_NAMES.join(', ')} or all, found "${each.trim()}".`,
    );
  });
}
