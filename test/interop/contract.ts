/** What the programs of the lab and the harness agree on; README.md says it in words. */
export const BINDINGS = ['JSONRPC', 'HTTP+JSON', 'GRPC'] as const;
export const VERSIONS = ['1.0', '0.3'] as const;
export const ROLES = ['client', 'server'] as const;

export type Binding = (typeof BINDINGS)[number];
export type Version = (typeof VERSIONS)[number];
/** The role of the foreign program. */
export type Role = (typeof ROLES)[number];

/** The operations and situations that a pair of programs is tried in. */
export const CASES = {
  card: 'find the agent card, given the base URL and nothing else',
  send: 'send a message and receive the completed task with its artifact',
  message: 'receive a message instead of a task',
  nonblocking: 'send a message and receive the task at once',
  stream: 'stream an artifact in three chunks, with their flags',
  get: 'get a task, with its history and without',
  list: 'list the tasks of a context, page by page',
  ask: 'receive a question and answer it in the same task',
  'ask-stream': 'the stream ends with the question',
  fail: 'receive a failed task with its reason',
  cancel: 'cancel a running task',
  subscribe: 'subscribe to a running task: the task first, then its updates until the end',
  'receive-file': 'receive a file, a link and data, with names and media types',
  'send-file': 'send 256 different bytes and receive the same ones, with name and media type',
  'push-config': 'create, get, list and delete a push notification configuration',
  'push-delivery': 'be notified, with the token, until the task has ended',
  'error-task-not-found': 'the error of a task that does not exist, by its type',
  'error-not-cancelable': 'the error of a task that cannot be canceled, by its type',
  'error-subscribe-to-ended': 'the error of a subscription to a task that has ended, by its type',
  'error-message-to-ended': 'the error of a message to a task that has ended, by its type',
  'error-content-type': 'the error of a media type that the agent does not take, by its type',
  'error-no-extended-card': 'the error of an agent without an extended card, by its type',
  'extended-card': 'get the extended card with a key',
  unauthenticated: 'the error of a request without a key',
} as const;

export type CaseName = keyof typeof CASES;

/** One line that a client program prints. */
export interface CaseLine {
  readonly case: CaseName;
  readonly ok: boolean;
  /** The program has nothing for this case; the detail says what is missing. */
  readonly skipped?: boolean;
  readonly detail: string;
}

/** The lines of one program over one binding and version. */
export interface Run {
  readonly role: Role;
  readonly version: Version;
  readonly binding: Binding;
  readonly lines: readonly CaseLine[];
}

export function isCaseLine(value: unknown): value is CaseLine {
  if (typeof value !== 'object' || value === null) return false;
  const { case: name, ok, detail } = value as Record<string, unknown>;
  return typeof name === 'string' && name in CASES && typeof ok === 'boolean' && typeof detail === 'string';
}
