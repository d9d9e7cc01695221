import type { OptionDescription } from '../command-line/command.ts';
import { AGENT_OPTIONS } from './open-agents.ts';

/** Many hosts time out a tool call after a minute. Returning a task that is still running before that is better. */
export const DEFAULT_TOOL_TIMEOUT = '45s';
/** The limits of the client, written as sizes. */
export const DEFAULT_MAX_RESPONSE = '8M';
export const DEFAULT_MAX_RESULT = '1G';
export const DEFAULT_MAX_FILE = '100M';
/** Long enough for a host that is closed over a weekend. */
export const DEFAULT_TASK_TTL = '7d';
export const DEFAULT_MCP_HOST = '127.0.0.1';

/** What happens to the remote task when the host cancels a tool call. */
export const ON_CANCEL = ['leave', 'cancel'] as const;
export const DEFAULT_ON_CANCEL: (typeof ON_CANCEL)[number] = 'leave';

/** Holds the token that HTTP callers must send. No option does: other users can see the arguments of a command. */
export const MCP_TOKEN = 'HOLDWORD_MCP_TOKEN';

/** Options of the tools that call other agents. */
export const TOOL_OPTIONS = {
  ...AGENT_OPTIONS,
  data: {
    value: 'DIR',
    description: 'Folder for tasks and for files of artifacts',
    default: 'tasks in memory, files not saved',
  },
  timeout: {
    value: 'DURATION',
    description: 'How long a tool call waits for an agent before it returns the current state of the task',
    default: DEFAULT_TOOL_TIMEOUT,
  },
  'max-response': {
    value: 'SIZE',
    description: 'Largest response of an agent that is kept in memory; contents of larger ones go to files',
    default: DEFAULT_MAX_RESPONSE,
  },
  'max-result': {
    value: 'SIZE',
    description: 'Largest result of an agent that is accepted',
    default: DEFAULT_MAX_RESULT,
  },
  'max-file': {
    value: 'SIZE',
    description: 'Largest file of an agent that is saved with --data',
    default: DEFAULT_MAX_FILE,
  },
  'extra-tools': {
    value: 'NAMES|all',
    description: 'Additional tools: a list of cancelTask,listTasks,searchArtifact, or all',
    default: 'none',
  },
} as const satisfies Record<string, OptionDescription>;
