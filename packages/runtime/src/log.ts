/** Where the runtime reports to its operator. Fields contain ids and numbers, never message content or secrets. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export const noopLog: Log = { info: () => {}, warn: () => {}, error: () => {} };
