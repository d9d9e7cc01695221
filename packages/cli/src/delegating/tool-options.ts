import type { OptionDescription } from '../arguments/command.ts';

/** Options that name the agents. */
export const AGENT_OPTIONS = {
  agents: {
    value: 'FILE',
    description: 'JSON file of agents: {"ID": {"url": "…", "custom_headers": {"NAME": "VALUE"}}}',
    environment: 'HOLDWORD_AGENTS',
  },
  agent: {
    value: 'ID=URL',
    description: 'An agent by id and URL of its card; can be given several times',
    repeatable: true,
  },
} as const satisfies Record<string, OptionDescription>;

/** Options of the tools that call them. */
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
    default: '45s',
  },
  'extra-tools': {
    value: 'NAMES|all',
    description: 'Additional tools: a list of cancelTask,listTasks,searchArtifact, or all',
    default: 'none',
  },
} as const satisfies Record<string, OptionDescription>;

/** Holds the token that HTTP callers must send. No option does: other users can see the arguments of a command. */
export const MCP_TOKEN = 'HOLDWORD_MCP_TOKEN';
export const ON_CANCEL = ['leave', 'cancel'] as const;
