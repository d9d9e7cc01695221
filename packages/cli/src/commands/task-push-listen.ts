import { isLoopback } from '@holdword/net/internal';
import { asObject } from '@holdword/protocol/internal';
import { CALL_OPTIONS, STREAM_OPTION, WAIT_OPTIONS } from '../calling/call-options.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { startNotificationServer } from '../calling/notification-server.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { eventText, taskText } from '../calling/task-text.ts';
import { isSettled } from '../calling/wait-for-task.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { authorizationOf, openForPush, PUSH_OPTIONS } from './task-push-config.ts';

/** Receives push notifications: for a task, which it asks the agent for, or whatever arrives. */
export const listen: Command = {
  ...listed('task push-config listen'),
  misused: reportMisuse,
  details:
    'With a task, asks the agent to notify this program, and ends when the task has ended or asks something. Without one, prints ' +
    'whatever arrives until Ctrl-C. Many agents refuse to notify addresses of private networks, such as 127.0.0.1.',
  options: {
    ...CALL_OPTIONS,
    ...STREAM_OPTION,
    timeout: WAIT_OPTIONS.timeout,
    host: { value: 'ADDRESS', description: 'Where to listen', default: '127.0.0.1' },
    port: { value: 'N', description: 'The port; 0 picks a free one', default: '0' },
    ...PUSH_OPTIONS,
    url: { value: 'URL', description: 'The address that the agent is told', default: 'that of this program' },
  },
  examples: [
    {
      comment: 'Be notified of a task here',
      command: 'holdword task push-config listen 0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11 -a localhost:4310',
    },
  ],
  page: 'guides/talk-to-an-agent.md',
  run: (input) =>
    runCall(
      input,
      async (call) => {
        const { options, operands } = input;
        if (operands.length > 1) throw new UsageError('Only one task can be listened to.');
        const [taskId] = operands;
        const host = options['host'] ?? '127.0.0.1';
        const token = options['token'] ?? (taskId === undefined ? undefined : crypto.randomUUID());
        call.diagnostics.hide([token ?? '', options['auth-credentials'] ?? '']);
        const agent = taskId === undefined ? undefined : await openForPush(call);
        const ended = Promise.withResolvers<void>();
        await using server = await startNotificationServer({
          host,
          port: readPort(options['port']),
          token,
          authorization: authorizationOf(options),
          onEvent: (event) => {
            const [content] = Object.values(asObject(event));
            const { id, taskId: own = id } = asObject(content);
            if (taskId !== undefined && own !== taskId) return;
            call.print(event, () => eventText(event, call));
            if (taskId !== undefined && isSettled(content)) ended.resolve();
          },
          onRefused: (reason) => call.diagnostics.warn(`A notification was refused: ${reason}`),
        });
        call.diagnostics.tell(`Listening on ${server.url}`);
        call.signal.addEventListener('abort', () => ended.reject(call.signal.reason as Error), {
          once: true,
        });
        if (taskId !== undefined && agent !== undefined) {
          const told = { ...options, url: options['url'] ?? server.url };
          await register(
            call,
            agent,
            taskId,
            { ...told, ...(token !== undefined && { token }) },
            ended.resolve,
          );
        }
        await ended.promise;
      },
      { isOpenEnded: input.operands.length === 0 },
    ),
};

async function register(
  call: Call,
  agent: CalledAgent,
  taskId: string,
  {
    url = '',
    token = '',
    'auth-scheme': scheme,
    'auth-credentials': credentials,
  }: Readonly<Record<string, string>>,
  stop: () => void,
): Promise<void> {
  if (isLoopback(new URL(url).hostname) && !isLoopback(new URL(agent.origin).hostname)) {
    call.diagnostics.warn(
      `The agent is on another machine and cannot reach ${url}. Name a public address with --url.`,
    );
  }
  const authentication =
    scheme === undefined ? undefined : { scheme, ...(credentials !== undefined && { credentials }) };
  await agent.call(
    'createTaskPushNotificationConfig',
    { taskId, url, token, ...(authentication && { authentication }) },
    call.signal,
  );
  // Of what was before, nobody is notified.
  const task = await agent.call('getTask', { id: taskId }, call.signal);
  if (!isSettled(task)) return;
  call.print({ task }, () => taskText(task, call));
  stop();
}

function readPort(given = '0'): number {
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(`--port: expected a port number, found "${given.slice(0, 40)}".`);
}
