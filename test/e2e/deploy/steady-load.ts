import type { DriverTarget } from '../../support/drivers/driver.ts';
import { openDriver } from '../../support/drivers/open-driver.ts';
import { say, sendForTask } from '../conversation.ts';

/** Callers that send one message after the other until they are stopped. */
export interface SteadyLoad {
  /** The tasks whose completion has been acknowledged so far. */
  readonly acknowledged: ReadonlySet<string>;
  stop(): Promise<void>;
}

export async function startSteadyLoad(
  targets: readonly DriverTarget[],
  callersOfEach: number,
): Promise<SteadyLoad> {
  const choice = { binding: 'JSONRPC', version: '1.0', client: 'raw' } as const;
  const drivers = await Promise.all(
    targets.flatMap((target) => Array.from({ length: callersOfEach }, () => openDriver(target, choice))),
  );
  const acknowledged = new Set<string>();
  const over = new AbortController();
  const callers = drivers.map(async (driver) => {
    while (!over.signal.aborted) {
      const task = await sendForTask(driver, say('count to 3'));
      if (task.status.state !== 'TASK_STATE_COMPLETED')
        throw new Error(`Expected a completed task, found ${task.status.state}.`);
      acknowledged.add(task.id);
    }
    driver.close();
  });
  return {
    acknowledged,
    async stop() {
      over.abort();
      await Promise.all(callers);
    },
  };
}
