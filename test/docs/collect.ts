import type { ChildProcess } from 'node:child_process';

export interface Output {
  /** Standard output. */
  printed(): string;
  /** Both streams, as they came. */
  all(): string;
}

export function collect(child: ChildProcess): Output {
  const printed: Buffer[] = [];
  const all: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => printed.push(chunk) && all.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => all.push(chunk));
  return {
    printed: () => Buffer.concat(printed).toString(),
    all: () => Buffer.concat(all).toString(),
  };
}
