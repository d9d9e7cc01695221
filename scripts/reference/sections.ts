import { ERROR_TABLE, type A2AErrorCode } from '../../packages/protocol/src/errors/a2a-error.ts';
import { OPERATION_NAMES, OPERATIONS } from '../../packages/protocol/src/operations.ts';
import { renderHelp, renderOverview } from '../../packages/cli/src/command-line/render-help.ts';
import { loadAllCommands } from '../../packages/cli/src/commands/all-commands.ts';
import { TOPICS } from '../../packages/cli/src/commands/command-list.ts';
import { describeSettings } from '../../packages/cli/src/config/describe-settings.ts';

import { HUB_SECTIONS } from './hub-sections.ts';
import { table } from './table.ts';

const ALL_COMMANDS = await loadAllCommands();

/** Help is printed for a terminal of this many columns. */
const COLUMNS = 100;

/** What each error means and what to do about it. */
const MEANINGS: Readonly<Record<A2AErrorCode, string>> = {
  TASK_NOT_FOUND: 'There is no such task, or it belongs to another caller.',
  TASK_NOT_CANCELABLE: 'The task has ended.',
  PUSH_NOTIFICATION_NOT_SUPPORTED: 'The agent sends no push notifications; its card says so.',
  UNSUPPORTED_OPERATION:
    'The agent or the state of the task does not allow the operation. The message says why.',
  CONTENT_TYPE_NOT_SUPPORTED:
    'The agent does not take parts of this media type, or offers no accepted output type.',
  INVALID_AGENT_RESPONSE: 'Another agent sent an answer that is not A2A.',
  EXTENDED_AGENT_CARD_NOT_CONFIGURED: 'The agent has no extended card.',
  EXTENSION_SUPPORT_REQUIRED: 'The agent requires an extension that the client did not declare.',
  VERSION_NOT_SUPPORTED: 'The version in `A2A-Version` is not served. Use 1.1, 1.0 or 0.3.',
  TASK_GENERATION_MISMATCH:
    'The task is not in the generation of `ifGenerationMatch`. Get it, and send the message again if it still applies.',
  PARSE_ERROR: 'The body is not JSON.',
  INVALID_REQUEST: 'The body is JSON, but not a JSON-RPC request.',
  METHOD_NOT_FOUND: 'There is no such method or path. On HTTP, 405 if the path exists with another verb.',
  INVALID_PARAMS: 'A field is missing or wrong. `fieldViolations` names each.',
  INTERNAL: 'The server failed. Its log has the reason; the answer does not.',
  UNAUTHENTICATED: 'The credential is missing or not valid.',
  PERMISSION_DENIED: 'The credential is valid, but does not allow this.',
  IDEMPOTENCY_CONFLICT: 'The idempotency key was used for a different message.',
  RESOURCE_EXHAUSTED:
    'A limit was reached. Retry after the time in `Retry-After` or `retryDelay`; without one, waiting does not help: the message says what does.',
  REQUEST_TOO_LARGE: 'The body is larger than `limits.bodyBytes`.',
  UNAVAILABLE: 'The server is starting, stopping, or cannot reach its store. Retry.',
};

/** The generated parts of the reference pages, by the name in their markers. */
export const SECTIONS: Readonly<Record<string, () => string>> = {
  ...HUB_SECTIONS,
  commands: () =>
    [
      ['```text', renderOverview(TOPICS, ALL_COMMANDS, COLUMNS).trimEnd(), '```'].join('\n'),
      ...ALL_COMMANDS.map((command) =>
        [`## holdword ${command.name}`, '', '```text', renderHelp(command, COLUMNS).trimEnd(), '```'].join(
          '\n',
        ),
      ),
    ].join('\n\n'),
  errors: () =>
    table(
      ['Reason', 'JSON-RPC', 'HTTP', 'gRPC', 'Retry', 'Meaning'],
      Object.entries(ERROR_TABLE).map(([code, { jsonRpc, http, grpc, retry }]) => [
        `\`${code}\``,
        String(jsonRpc),
        String(http),
        `\`${grpc}\``,
        retry ? 'yes' : 'no',
        MEANINGS[code as A2AErrorCode],
      ]),
    ),
  settings: () => table(['Setting', 'Meaning', 'Values', 'Default', 'Option, environment'], settingRows()),
  operations: () =>
    table(
      ['JSON-RPC and gRPC (1.0)', 'REST (1.0)', 'JSON-RPC (0.3)', 'Streams'],
      OPERATION_NAMES.map((name) => {
        const { method, rest, v03, response } = OPERATIONS[name];
        return [
          `\`${method}\``,
          rest.verbs
            .toSorted()
            .map((verb) => `\`${verb} /${rest.path}\``)
            .join(', '),
          v03 === undefined ? '—' : `\`${v03.method}\``,
          response === 'events' ? 'yes' : '',
        ];
      }),
    ),
};

/** `$schema` is for editors; options of agents are described on the page of the agents that they belong to. */
function settingRows(): string[][] {
  return describeSettings()
    .filter(({ path }) => path !== '$schema' && !path.startsWith('agentOptions.'))
    .map(({ path, description, default: fallback = '', values = '', commandLine: details }) => [
      `\`${path}\``,
      description,
      values,
      fallback,
      details === undefined ? '' : `\`--${details.option}\`, \`${details.environment}\``,
    ]);
}
