import type { Config, GivenConfig } from '../config/config-schema.ts';
import { completeConfig } from '../config/resolve-config.ts';

/** A terminal that nobody watches. */
export const NO_TERMINAL = {
  out: () => {},
  announce: () => {},
  written: async () => {},
  error: () => {},
  errorsAreWatched: false,
  columns: 100,
  style: (_format: unknown, text: string) => text,
};

/** The configuration of a server in the folder `/home` that is given these settings. */
export function testConfig(given: GivenConfig = {}): Config {
  return completeConfig(given, { environment: {}, workingFolder: '/home', terminal: NO_TERMINAL });
}
