import type { OptionDescription } from '../arguments/command.ts';

/** Says which agents there are. */
export const AGENT_OPTIONS = {
  agents: {
    value: 'FILE',
    description: 'JSON file with agents: {"ID": {"url": "…", "custom_headers": {"NAME": "VALUE"}}}',
    environment: 'HOLDWORD_AGENTS',
  },
  agent: {
    value: 'ID=URL',
    description: 'one more agent by the URL of its card; may be given several times',
    repeatable: true,
  },
} as const satisfies Record<string, OptionDescription>;

/** Says how a model works with them. */
export const TOOL_OPTIONS = {
  ...AGENT_OPTIONS,
  data: {
    value: 'DIR',
    description:
      'folder that keeps tasks and files of artifacts (default: kept in memory, files are not saved)',
  },
  timeout: {
    value: 'DURATION',
    description: 'how long a call waits for an agent before it gives what there is (default 45s)',
  },
  'extra-tools': {
    value: 'NAMES|all',
    description: 'further tools: cancelTask,listTasks,searchArtifact (default: none)',
  },
} as const satisfies Record<string, OptionDescription>;

/** The environment variable with the token that callers over HTTP must have: words of a command can be seen by others. */
export const MCP_TOKEN = 'HOLDWORD_MCP_TOKEN';
export const ON_CANCEL = ['leave', 'cancel'] as const;
