import { describeValue, hasMethods, isObject } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { givenOptions, toCamelCase } from '../agents/agent-options.ts';
import { AgentOptionsError } from '../executors/executor-errors.ts';
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

interface Expectation {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const SETUP: Readonly<Record<keyof AdapterSetup, Expectation>> = {
  taskStore: {
    expected: "a store, such as await openSqliteStore({ folder: 'data' })",
    accepts: (value) => hasMethods(value, 'onCommit', 'getRecord', 'close'),
  },
  dataFolder: {
    expected: 'the path of a folder',
    accepts: (value) => typeof value === 'string' && value !== '',
  },
  log: {
    expected: 'an object with the methods info, warn and error',
    accepts: (value) => hasMethods(value, 'info', 'warn', 'error'),
  },
  push: {
    expected: 'an object of options, or false',
    accepts: (value) => value === false || isObject(value),
  },
};

interface SplitOptions {
  readonly setup: AdapterSetup;
  /** Options of the agent, not validated yet. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Separates the options of the adapter from those of its agent. Names with underscores are accepted as well, and null counts
 * as absent.
 *
 * @throws AgentOptionsError if an option of the adapter is invalid.
 */
export function splitOptions(given: unknown): SplitOptions {
  if (!isObject(given)) {
    throw new AgentOptionsError(
      `Expected the options of an agent, found ${describeValue(given)}. Pass an object, such as { timeout: 60 }.`,
    );
  }
  const entries = Object.entries(given);
  const setup = givenOptions(Object.fromEntries(entries.filter(isSetup)));
  for (const [name, { value, spelling }] of setup) {
    const { expected, accepts } = SETUP[name as keyof AdapterSetup];
    if (!accepts(value)) {
      throw new AgentOptionsError(
        `Invalid option ${spelling}: expected ${expected}, found ${describeValue(value)}.`,
      );
    }
  }
  return {
    setup: Object.fromEntries([...setup].map(([name, { value }]) => [name, value])),
    options: Object.fromEntries(entries.filter((entry) => !isSetup(entry))),
  };
}

function isSetup([name]: [string, unknown]): boolean {
  return Object.hasOwn(SETUP, toCamelCase(name));
}
