import { READERS } from '@holdword/client/internal';
import { A2AError, type TaskPushNotificationConfig } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { CALL_OPTIONS } from '../calling/call-options.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { field } from '../calling/task-text.ts';
import type { Command, CommandInput } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const PAGE = 'guides/talk-to-an-agent.md';
const EXAMPLE = '0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11 -a localhost:4310';

/** How a receiver recognizes notifications. */
export const PUSH_OPTIONS = {
  token: { value: 'TOKEN', description: 'Sent along, so that the receiver recognizes them' },
  'auth-scheme': { value: 'SCHEME', description: 'The scheme of the Authorization header, such as Bearer' },
  'auth-credentials': { value: 'TEXT', description: 'What follows it' },
} as const;

const create: Command = {
  ...listed('task push-config create'),
  misused: reportMisuse,
  details: 'The agent sends its notifications to the URL, which has to be one that it can reach.',
  options: {
    ...CALL_OPTIONS,
    url: { value: 'URL', description: 'Where to send notifications' },
    ...PUSH_OPTIONS,
  },
  examples: [
    {
      comment: 'Be notified of a task',
      command: `holdword task push-config create ${EXAMPLE} --url https://hooks.example/a2a`,
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const config = configOf(input);
      call.diagnostics.hide([input.options['token'] ?? '', input.options['auth-credentials'] ?? '']);
      const agent = await openForPush(call);
      const created = await agent.call('createTaskPushNotificationConfig', config, call.signal);
      call.print(created, () => configText(created));
    }),
};

function configOf({
  operands: [taskId = ''],
  options,
}: CommandInput): TaskPushNotificationConfig & { taskId: string } {
  const { url, token, 'auth-scheme': scheme, 'auth-credentials': credentials } = options;
  authorizationOf(options);
  if (url === undefined)
    throw new UsageError('Where to? Name it with --url, such as --url https://hooks.example/a2a.');
  return {
    taskId,
    url,
    ...(token !== undefined && { token }),
    ...(scheme !== undefined && {
      authentication: { scheme, ...(credentials !== undefined && { credentials }) },
    }),
  };
}

/** The header of a notification, by the options. */
export function authorizationOf({
  'auth-scheme': scheme,
  'auth-credentials': credentials,
}: CommandInput['options']): string | undefined {
  if (scheme === undefined && credentials !== undefined) {
    throw new UsageError('--auth-credentials needs --auth-scheme, such as --auth-scheme Bearer.');
  }
  return scheme === undefined
    ? undefined
    : [scheme, credentials].filter((each) => each !== undefined).join(' ');
}

const list: Command = {
  ...listed('task push-config list'),
  misused: reportMisuse,
  options: CALL_OPTIONS,
  examples: [{ comment: 'See who is notified', command: `holdword task push-config list ${EXAMPLE}` }],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const [taskId = ''] = input.operands;
      const agent = await openForPush(call);
      const { page, configs } = await listPushConfigs(agent, taskId, call.signal);
      call.print(page, () =>
        configs.length > 0
          ? configs.map((config) => `${configText(config)}\n`).join('')
          : field('Total', '0'),
      );
    }),
};

/** Who is notified of a task: the answer of the agent, and what it lists. */
export async function listPushConfigs(
  agent: CalledAgent,
  taskId: string,
  signal: AbortSignal,
): Promise<{ page: unknown; configs: readonly unknown[] }> {
  const page = await agent.call('listTaskPushNotificationConfigs', { taskId }, signal);
  const { configs } = asObject(page);
  return { page, configs: Array.isArray(configs) ? configs : [] };
}

const get: Command = {
  ...listed('task push-config get'),
  misused: reportMisuse,
  options: CALL_OPTIONS,
  examples: [
    {
      comment: 'See one of them',
      command: `holdword task push-config get ${EXAMPLE.replace(' ', ' hook-1 ')}`,
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const [taskId = '', id = ''] = input.operands;
      const agent = await openForPush(call);
      const config = await agent.call('getTaskPushNotificationConfig', { taskId, id }, call.signal);
      call.print(config, () => configText(config));
    }),
};

const remove: Command = {
  ...listed('task push-config delete'),
  misused: reportMisuse,
  options: CALL_OPTIONS,
  examples: [
    {
      comment: 'End notifications',
      command: `holdword task push-config delete ${EXAMPLE.replace(' ', ' hook-1 ')}`,
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const [taskId = '', id = ''] = input.operands;
      const agent = await openForPush(call);
      await agent.call('deleteTaskPushNotificationConfig', { taskId, id }, call.signal);
      call.print({ taskId, id, deleted: true }, () => field('Deleted', id));
    }),
};

/** An agent that does not notify says so on its card, so that it need not be asked. */
export async function openForPush(call: Call): Promise<CalledAgent> {
  const agent = await call.open();
  if (agent.found.card.capabilities.pushNotifications === true) return agent;
  throw new A2AError(
    'PUSH_NOTIFICATION_NOT_SUPPORTED',
    'The card says that the agent sends no push notifications.',
  );
}

function configText(json: unknown): string {
  const { id, taskId, url, authentication } = READERS.pushConfig(json);
  return [
    id === undefined ? '' : field('Config ID', id),
    taskId === undefined ? '' : field('Task ID', taskId),
    field('URL', url),
    authentication === undefined ? '' : field('Authentication', authentication.scheme),
  ].join('');
}

export const commands: readonly Command[] = [create, list, get, remove];
