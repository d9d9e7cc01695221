import type { OptionDescription } from '../command-line/command.ts';

/*
 * The options of the commands that call an agent. Their names, and those of their environment variables, are those of the
 * specification of A2A command lines, so that scripts work with every tool that follows it.
 */

/** The options of every command that calls an agent. */
export const CALL_OPTIONS = {
  'agent-card': {
    short: 'a',
    value: 'AGENT',
    description:
      'The agent: a name of holdword env, a host, the URL of its card, a file with its card, or CATALOG#ID for an entry of a catalog',
    environment: 'A2ACLI_AGENT_CARD',
  },
  output: {
    short: 'o',
    value: 'text|json',
    description: 'How results are printed',
    default: 'text',
    environment: 'A2ACLI_OUTPUT',
  },
  transport: {
    value: 'BINDING',
    description:
      'jsonrpc, rest or grpc, if the agent has it; may be given several times, the preferred one first',
    default: 'the first that the card lists',
    environment: 'A2ACLI_TRANSPORT',
    repeatable: true,
  },
  'a2a-version': {
    value: 'VERSION',
    description: 'The version of A2A to use: 1.1 or 1.0, or 0.3 for an older agent',
    default: 'the highest that both sides have, at least 1.0',
    environment: 'A2ACLI_A2A_VERSION',
  },
  bearer: {
    value: 'TOKEN',
    description:
      'A bearer token. Other users of the machine can see it in the list of processes: prefer the variable',
    environment: 'A2ACLI_BEARER',
  },
  'api-key': {
    value: 'KEY',
    description:
      'An API key. Other users of the machine can see it in the list of processes: prefer the variable',
    environment: 'A2ACLI_API_KEY',
  },
  'svc-param': {
    value: 'NAME:VALUE',
    description: 'A service parameter: an HTTP header, or metadata of gRPC. May be given several times',
    environment: 'A2ACLI_SVC_PARAM',
    repeatable: true,
  },
  extension: {
    value: 'URI',
    description:
      'A protocol extension that you meet, for an agent that requires it. May be given several times',
    environment: 'A2ACLI_EXTENSION',
    repeatable: true,
  },
  insecure: {
    description:
      'Do not verify the certificate of the agent. For tests only: anybody in between can read along',
    default: 'certificates are verified',
    environment: 'A2ACLI_INSECURE',
    negatable: true,
  },
  'ca-cert': {
    value: 'FILE',
    description: 'The certificates of the authorities to trust, in PEM',
    default: 'those that Node trusts',
    environment: 'A2ACLI_CA_CERT',
  },
  'client-cert': {
    value: 'FILE',
    description: 'The certificate with which you authenticate (mutual TLS), in PEM',
    environment: 'A2ACLI_CLIENT_CERT',
  },
  'client-key': {
    value: 'FILE',
    description: 'The private key of that certificate, in PEM',
    environment: 'A2ACLI_CLIENT_KEY',
  },
  config: {
    value: 'FILE',
    description: 'A file with such variables, instead of the nearest .env',
    environment: 'A2ACLI_CONFIG',
  },
  verbose: {
    description: 'Print everything that was exchanged: history, metadata, ids of artifacts',
    default: 'what matters',
    environment: 'A2ACLI_VERBOSE',
    negatable: true,
  },
  debug: {
    description: 'Tell on stderr what happens, with the raw messages; credentials are hidden',
    environment: 'A2ACLI_DEBUG',
    negatable: true,
  },
} as const satisfies Record<string, OptionDescription>;

/** The options of commands that wait for a task. */
export const WAIT_OPTIONS = {
  'poll-interval': {
    value: 'DURATION',
    description: 'How often to ask an agent that does not stream, such as 500ms or 2s',
    default: '2s',
    environment: 'A2ACLI_POLL_INTERVAL',
  },
  timeout: {
    value: 'DURATION',
    description: 'How long to wait, such as 30s or 5m',
    default: '10m',
    environment: 'A2ACLI_TIMEOUT',
  },
} as const satisfies Record<string, OptionDescription>;

/** What goes with a message. */
export const SEND_OPTIONS = {
  async: {
    description: 'Print the task at once and do not wait',
    default: 'wait until the task has ended or asks something',
    environment: 'A2ACLI_ASYNC',
    negatable: true,
  },
  'context-id': {
    value: 'ID',
    description: 'The conversation to start a new task in',
    environment: 'A2ACLI_CONTEXT_ID',
  },
  'task-id': {
    value: 'ID',
    description: 'The task to continue',
    environment: 'A2ACLI_TASK_ID',
  },
  metadata: {
    value: 'JSON',
    description: 'A JSON object that is sent as the metadata of the request',
    environment: 'A2ACLI_METADATA',
  },
} as const satisfies Record<string, OptionDescription>;

/** How to log in. */
export const LOGIN_OPTIONS = {
  'client-id': {
    value: 'ID',
    description: 'The id of the OAuth client that you have registered',
    environment: 'A2ACLI_CLIENT_ID',
  },
  'client-secret': {
    value: 'SECRET',
    description:
      'Its secret. Other users of the machine can see it in the list of processes: prefer the variable',
    environment: 'A2ACLI_CLIENT_SECRET',
  },
  scope: {
    value: 'SCOPE',
    description: 'A scope to ask for; may be given several times',
    default: 'all that the card lists',
    environment: 'A2ACLI_SCOPE',
    repeatable: true,
  },
} as const satisfies Record<string, OptionDescription>;

/** Prints events as they arrive. Only ever a flag: a script must not change its output by its environment. */
export const STREAM_OPTION = {
  stream: { description: 'Print events as they arrive; with -o json, one per line' },
} as const satisfies Record<string, OptionDescription>;

/** Shows a task as it runs, on a terminal. Elsewhere it changes nothing. */
export const INTERACTIVE_OPTION = {
  interactive: {
    short: 'i',
    description: 'In a terminal: show the task while it runs, and answer the questions of the agent in place',
    default: 'plain lines',
    environment: 'A2ACLI_INTERACTIVE',
    negatable: true,
  },
} as const satisfies Record<string, OptionDescription>;

/** All options that can be set by variables, in the order in which they are shown. */
export const CONFIGURABLE_OPTIONS: Readonly<Record<string, OptionDescription>> = {
  ...CALL_OPTIONS,
  ...WAIT_OPTIONS,
  ...SEND_OPTIONS,
  ...INTERACTIVE_OPTION,
  ...LOGIN_OPTIONS,
};
