import type { Hub, HubLinks } from '@holdword/hub';
import type { Executor, Log, Runtime } from '@holdword/runtime';
import { observeWith, type HubCalls, type Observer } from '@holdword/runtime/observe';
import type { Authentication, ServeOptions } from '@holdword/runtime/serve';
import type { Store } from '@holdword/store';
import type { Config } from '../config/config-schema.ts';
import { version } from '../version.ts';
import { hubSettings } from './hub-settings.ts';

export interface HubSurroundings {
  readonly store: Store;
  readonly operations: Runtime['operations'];
  readonly authentication: Authentication;
  readonly log: Log;
}

/** The hub on the server of an agent. */
export interface HubBeside {
  /** Hears what the runtime says, and passes it on. */
  readonly observer: Observer;
  /** For the metrics of the server. */
  calls(): readonly HubCalls[];
  /** Where it is reached; known once it is open. */
  readonly addresses: HubLinks | undefined;
  /** The agent, as the hub lets it run. */
  executor(agent: Executor): Executor;
  /** Forgets what the hub keeps of a task; false while a successor needs it. */
  forget(store: Store): (taskId: string) => Promise<boolean>;
  /** Begins when the server knows its address. */
  open(surroundings: HubSurroundings): NonNullable<ServeOptions['beside']>;
  close(): Promise<void>;
}

/** Loaded when it is wanted: an agent alone starts faster without it. */
export async function startHubBeside(config: Config, observer: Observer): Promise<HubBeside> {
  const settings = await hubSettings(config);
  const { createHub, forgetHandoffs, keepForSuccessor, ReliabilityFigures } = await import('@holdword/hub');
  const figures = new ReliabilityFigures();
  const watching = observeWith([observer, figures.observer]);
  let hub: Hub | undefined;
  return {
    observer: watching,
    calls: () => figures.calls(),
    get addresses() {
      return hub?.links;
    },
    executor: keepForSuccessor,
    forget: forgetHandoffs,
    open: (surroundings) => (agent) => {
      hub = createHub({
        ...surroundings,
        observer: watching,
        figures,
        baseUrl: agent.url,
        card: agent.card,
        version: version(),
        settings,
      });
      return hub.handle;
    },
    async close() {
      await hub?.close();
    },
  };
}
