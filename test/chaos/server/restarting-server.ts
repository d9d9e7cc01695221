import { HoldwordProcess } from '@holdword/cli/testing';
import { ClosableDoor } from './closable-door.ts';

const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+)\/a2a\/rest/;

export interface ServerOptions {
  dataFolder: string;
  /** The path of an agent module; the demo agent unless given. */
  agent?: string;
  /** The file of another program that serves the same paths; all it is told is the data folder. */
  program?: string;
  graceSeconds?: number;
  environment?: Readonly<Record<string, string>>;
}

/**
 * A server that comes and goes on one data folder.
 *
 * Responsible for the process that runs now and for a door: clients wait in `admitted` until the campaign has looked at
 * the restarted server and calls `admit`. Leaves the moment of each end to the campaign.
 */
export class RestartingServer {
  readonly dataFolder: string;
  readonly #options: ServerOptions;
  readonly #door = new ClosableDoor();
  #process: HoldwordProcess | undefined;
  #address: string | undefined;

  constructor(options: ServerOptions) {
    this.dataFolder = options.dataFolder;
    this.#options = options;
  }

  /** `http://host:port` of the process that runs. */
  get address(): string {
    if (this.#address === undefined) throw new Error('No server runs.');
    return this.#address;
  }

  get residentBytes(): number | undefined {
    return this.#running().residentBytes();
  }

  /** Starts a process and resolves when it serves. */
  async start(options: Partial<ServerOptions> = {}): Promise<void> {
    this.begin(options);
    const [, address] = await this.#running().printed(ADDRESS);
    this.#address = address;
  }

  /** Starts a process without waiting for it. */
  begin(options: Partial<ServerOptions> = {}): void {
    if (this.#process !== undefined) throw new Error('A server runs already.');
    this.#process = startProcess({ ...this.#options, ...options });
  }

  /** Resolves when the running process has printed a match or has ended. */
  printedOrEnded(pattern: RegExp): Promise<void> {
    return this.#running().printedOrEnded(pattern);
  }

  /** Lets clients in. */
  admit(): void {
    this.#door.open(this.address);
  }

  /** Where to call, as soon as clients are let in; rejects with the signal's reason. */
  admitted(signal: AbortSignal): Promise<string> {
    return this.#door.admitted(signal);
  }

  signal(name: NodeJS.Signals): void {
    this.#running().signal(name);
  }

  kill(): Promise<void> {
    return this.#leave((running) => running.kill());
  }

  /** Ends it as Ctrl-C does and expects it to end in good order. */
  stop(): Promise<void> {
    return this.#leave(async (running) => {
      const code = await running.stop();
      if (code !== 0) {
        throw new Error(`Expected exit code 0 after SIGTERM, found ${code}:\n${running.output()}`);
      }
    });
  }

  /** Ends whatever runs; for the end of a test. */
  async remove(): Promise<void> {
    if (this.#process !== undefined) await this.kill();
  }

  async #leave(end: (running: HoldwordProcess) => Promise<void>): Promise<void> {
    const running = this.#running();
    this.#door.close();
    this.#address = undefined;
    await end(running);
    this.#process = undefined;
  }

  #running(): HoldwordProcess {
    if (this.#process === undefined) throw new Error('No server runs.');
    return this.#process;
  }
}

function startProcess(options: ServerOptions): HoldwordProcess {
  const { dataFolder, agent, program, graceSeconds, environment = {} } = options;
  if (program !== undefined) {
    return new HoldwordProcess([dataFolder], { program, cwd: dataFolder, environment });
  }
  const words = ['serve', '--port', '0', '--grpc-port', 'off', '--log-level', 'info', '--data', dataFolder];
  if (agent !== undefined) words.push('--agent', agent);
  if (graceSeconds !== undefined) words.push('--grace', String(graceSeconds));
  return new HoldwordProcess(words, { cwd: dataFolder, environment });
}
