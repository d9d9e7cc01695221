import type { Store } from '@holdword/store';
import { toCamelCase } from '../agents/read-options.ts';
import type { Log } from '../log.ts';
import type { PushOptions } from '../push/push-options.ts';

/** What an adapter takes beside the options of its agent. */
export interface AdapterSetup {
  /** Keeps the tasks; in memory by default. A store that is given is not closed with the adapter. */
  taskStore?: Store;
  /** Holds records of running programs, so that the next start ends what a crash left behind. `.holdword` by default. */
  dataFolder?: string;
  log?: Log;
  /** How push notifications are sent; false for not at all. */
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
  /** Of the agent, not checked yet. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Tells what is for the adapter from what is for its agent. Names with underscores are taken as well. */
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
