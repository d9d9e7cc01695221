import type { DriverChoice } from './drivers/open-driver.ts';
import type { Driver, DriverTarget } from './drivers/driver.ts';
import type { Gates } from './gates.ts';

/** A running server for a test. */
export interface TestAgent {
  readonly target: DriverTarget;
  readonly gates: Gates;
  /** A client of the agent, cached by choice and headers. */
  readonly driver: (choice: DriverChoice, headers?: Record<string, string>) => Promise<Driver>;
  /** Creates an API key and returns its token; only if the agent requires keys. */
  addKey(name: string): Promise<string>;
  revokeKey(name: string): Promise<void>;
  close(): Promise<void>;
}
