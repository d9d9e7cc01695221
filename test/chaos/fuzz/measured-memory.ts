import type { ServedParley } from '../../support/spawn-parley.ts';

const REPORTER = new URL('./report-memory.ts', import.meta.url).href;

/** What a server that is started with these options keeps in memory, without garbage. */
export class MeasuredMemory {
  static readonly nodeOptions = `--expose-gc --import=${REPORTER}`;
  readonly #server: ServedParley;
  #reports = 0;

  constructor(server: ServedParley) {
    this.#server = server;
  }

  async bytes(): Promise<number> {
    this.#reports += 1;
    this.#server.process.signal('SIGUSR2');
    const [, bytes] = await this.#server.process.printed(new RegExp(`memory ${this.#reports}: (\\d+) bytes`));
    return Number(bytes);
  }
}
