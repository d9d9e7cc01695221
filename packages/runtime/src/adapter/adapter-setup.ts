import type { Store } from '@holdword/store';
import { toCamelCase } from '../agents/read-options.ts';
import type { Log } from '../log.ts';
import type { PushOptions } from '../push/push-outbox.ts';

/** Options of the adapter itself, in addition to those of its agent. */
export interface AdapterSetup {
  /**
   * Where tasks are stored. A store passed here is not closed with the adapter.
   *
   * @default a store in memory
   */
  taskStore?: Store;
  /**
   * Where running processes are recorded, so that the next start can end those that a crash left running.
   *
   * @default '.holdword'
   */
  dataFolder?: string;
  /** @default no log */
  log?: Log;
  /**
   * Options of push notifications; false disables them.
   *
   * @default {}
   */
  push?: PushOptions | false;
}

const SETUP_NAMES: readonly string[] = [
  'taskStore',
  'dataFolder',
  'log',
  'push',
] satisfies (keyof AdapterSetup)[];

export interface SplitOptions {
  readonly setup: AdapterSetup;
  /** Options of the agent, not validated yet. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Separates the options of the adapter from those of its agent. Names with underscores are accepted as well. */
export function splitOptions(given: object): SplitOptions {
  const entries = Object.entries(given);
  const setup = entries
    .filter((entry) => isSetup(entry) && entry[1] !== undefined && entry[1] !== null)
    .map(([name, value]) => [toCamelCase(name), value]);
  return {
    setup: Object.fromEntries(setup) as AdapterSetup,
    options: Object.fromEntries(entries.filter((entry) => !isSetup(entry))),
  };
}

function isSetup([name]: [string, unknown]): boolean {
  return SETUP_NAMES.includes(toCamelCase(name));
}
