import type { DriverChoice } from './drivers/open-driver.ts';
import type { Driver, DriverTarget } from './drivers/driver.ts';
import type { Gates } from './gates.ts';

/** A server that runs for a test. */
export interface TestAgent {
  readonly target: DriverTarget;
  readonly gates: Gates;
  /** A client of the agent; the same one for the same choice and headers. */
  readonly driver: (choice: DriverChoice, headers?: Record<string, string>) => Promise<Driver>;
  /** A new API key's token; only where the agent asks for keys. */
  addKey(name: string): Promise<string>;
  revokeKey(name: string): Promise<void>;
  close(): Promise<void>;
}
