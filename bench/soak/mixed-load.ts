import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../../test/e2e/conversation.ts';
import { BINDINGS, VERSIONS, type Driver, type DriverTarget } from '../../test/support/drivers/driver.ts';
import { openDriver } from '../../test/support/drivers/open-driver.ts';
import { startWebhook } from './webhook-counter.ts';

/** How often each use was made, and what went wrong. */
export interface LoadReport {
  readonly uses: Readonly<Record<string, number>>;
  readonly notifications: number;
  readonly problems: readonly string[];
}

export interface MixedLoad {
  /** Uses since the start. */
  count(): number;
  stop(): Promise<LoadReport>;
}

const PAUSE_MILLISECONDS = 15;
const MOST_PROBLEMS = 20;
const CHUNKS = 20;

type Use = (driver: Driver, webhook: string) => Promise<string | undefined>;

/** What callers do all day. A use returns what is wrong, if anything is. */
const USES: Readonly<Record<string, Use>> = {
  send: async (driver) => {
    const sent = await driver.send(say('echo hello'));
    const state = 'task' in sent ? sent.task.status.state : 'a message';
    return state === 'TASK_STATE_COMPLETED' ? undefined : `expected a completed task, found ${state}`;
  },
  stream: async (driver) => {
    let artifacts = 0;
    for await (const { event } of driver.stream(say(`count to ${CHUNKS}`))) {
      if ('artifactUpdate' in event) artifacts += 1;
    }
    return artifacts >= CHUNKS ? undefined : `expected ${CHUNKS} chunks, found ${artifacts}`;
  },
  leave: async (driver) => {
    const left = new AbortController();
    let id = '';
    try {
      for await (const { event } of driver.stream(say('wait 0.2'), { signal: left.signal })) {
        if ('task' in event) id = event.task.id;
        left.abort();
      }
    } catch {
      // The stream was left.
    }
    if (id === '') return undefined;
    const { status } = await driver.get({ id });
    return status.state === 'TASK_STATE_FAILED' ? 'a task failed because its reader left' : undefined;
  },
  ask: async (driver) => {
    const asked = await driver.send(say('ask me'));
    if (!('task' in asked)) return 'expected a task';
    const answered = await driver.send(
      say('Ann', { taskId: asked.task.id, contextId: asked.task.contextId }),
    );
    const state = 'task' in answered ? answered.task.status.state : 'a message';
    return state === 'TASK_STATE_COMPLETED' ? undefined : `an answer led to ${state}`;
  },
  cancel: async (driver) => {
    const sent = await driver.send(say('wait 60', {}, { configuration: { returnImmediately: true } }));
    if (!('task' in sent)) return 'expected a task';
    const { status } = await driver.cancel({ id: sent.task.id });
    return status.state === 'TASK_STATE_CANCELED' ? undefined : `a canceled task is ${status.state}`;
  },
  list: async (driver) => {
    if (driver.version === '0.3') return undefined;
    const { tasks } = await driver.list({ pageSize: 20, includeArtifacts: true });
    return tasks.length > 0 ? undefined : 'expected tasks in the list';
  },
  notify: async (driver, webhook) => {
    const taskPushNotificationConfig = { url: webhook };
    await driver.send(say('echo hello', {}, { configuration: { taskPushNotificationConfig } }));
    return undefined;
  },
};

/** Uses a server in every way, over every binding and version, until it is stopped. */
export async function startMixedLoad(target: DriverTarget): Promise<MixedLoad> {
  const webhook = await startWebhook();
  const drivers = await Promise.all(
    VERSIONS.flatMap((version) =>
      BINDINGS.map((binding) => openDriver(target, { binding, version, client: 'raw' })),
    ),
  );
  const uses: Record<string, number> = Object.fromEntries(Object.keys(USES).map((name) => [name, 0]));
  const problems: string[] = [];
  const stopping = new AbortController();
  const work = async (driver: Driver, first: number): Promise<void> => {
    const names = Object.keys(USES);
    for (let step = first; !stopping.signal.aborted; step += 1) {
      const name = names[step % names.length] ?? 'send';
      const problem = await USES[name]?.(driver, webhook.url).catch(String);
      if (problem !== undefined && problems.length < MOST_PROBLEMS) {
        problems.push(`${name}, ${driver.name}: ${problem}`);
      }
      uses[name] = (uses[name] ?? 0) + 1;
      await pause(PAUSE_MILLISECONDS);
    }
  };
  const workers = drivers.map((driver, index) => work(driver, index));
  return {
    count: () => Object.values(uses).reduce((sum, each) => sum + each, 0),
    stop: async () => {
      stopping.abort();
      await Promise.all(workers);
      for (const driver of drivers) driver.close();
      return { uses, notifications: await webhook.close(), problems };
    },
  };
}
