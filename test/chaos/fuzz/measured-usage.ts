import type { ServedHoldword } from '../../support/spawn-holdword.ts';

const REPORTER = new URL('./report-usage.ts', import.meta.url).href;

export interface Usage {
  /** The live memory of the server, without garbage. */
  readonly bytes: number;
  /** Its CPU time since it started. */
  readonly microseconds: number;
}

/** Measures a server that is started with these options. */
export class MeasuredUsage {
  static readonly nodeOptions = `--expose-gc --import=${REPORTER}`;
  readonly #server: ServedHoldword;
  #reports = 0;

  constructor(server: ServedHoldword) {
    this.#server = server;
  }

  async now(): Promise<Usage> {
    this.#reports += 1;
    this.#server.process.signal('SIGUSR2');
    const pattern = new RegExp(`usage ${this.#reports}: (\\d+) bytes, (\\d+) microseconds`);
    const [, bytes, microseconds] = await this.#server.process.printed(pattern);
    return { bytes: Number(bytes), microseconds: Number(microseconds) };
  }
}
