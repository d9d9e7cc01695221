import { HoldwordProcess } from '@holdword/cli/testing';
import { AdmissionGate } from './admission-gate.ts';

const ADDRESS = /(http:\/\/127\.0\.0\.1:\d+)\/a2a\/rest/;

export interface ServerOptions {
  dataFolder: string;
  /**
   * The path of an agent module.
   *
   * @default the demo agent
   */
  agent?: string;
  /** The file of another program that serves the same paths; its only argument is the data folder. */
  program?: string;
  graceSeconds?: number;
  environment?: Readonly<Record<string, string>>;
}

/**
 * A server that is restarted repeatedly on one data folder.
 *
 * Responsible for the current process and for a gate: clients wait in `admitted` until the campaign has verified the restarted
 * server and calls `admit`. Leaves the time of each restart to the campaign.
 */
export class RestartingServer {
  readonly dataFolder: string;
  readonly #options: ServerOptions;
  readonly #gate = new AdmissionGate();
  #process: HoldwordProcess | undefined;
  #address: string | undefined;

  constructor(options: ServerOptions) {
    this.dataFolder = options.dataFolder;
    this.#options = options;
  }

  /** `http://host:port` of the running process. */
  get address(): string {
    if (this.#address === undefined) throw new Error('No server is running.');
    return this.#address;
  }

  get residentBytes(): number | undefined {
    return this.#running().residentBytes();
  }

  /** Starts a process and resolves when it is ready. */
  async start(options: Partial<ServerOptions> = {}): Promise<void> {
    this.launch(options);
    const [, address] = await this.#running().printed(ADDRESS);
    this.#address = address;
  }

  /** Starts a process without waiting for it. */
  launch(options: Partial<ServerOptions> = {}): void {
    if (this.#process !== undefined) throw new Error('A server is already running.');
    this.#process = startProcess({ ...this.#options, ...options });
  }

  /** Resolves when the process has printed a match or has ended. */
  printedOrEnded(pattern: RegExp): Promise<void> {
    return this.#running().printedOrEnded(pattern);
  }

  /** Admits clients. */
  admit(): void {
    this.#gate.open(this.address);
  }

  /** Resolves with the address once clients are admitted; rejects with the signal's reason. */
  admitted(signal: AbortSignal): Promise<string> {
    return this.#gate.admitted(signal);
  }

  signal(name: NodeJS.Signals): void {
    this.#running().signal(name);
  }

  kill(): Promise<void> {
    return this.#end((running) => running.kill());
  }

  /** Stops it gracefully and expects exit code 0. */
  stop(): Promise<void> {
    return this.#end(async (running) => {
      const code = await running.stop();
      if (code !== 0) {
        throw new Error(`The server exited with code ${code} after SIGTERM:\n${running.output()}`);
      }
    });
  }

  /** Kills the process if one is running; for the end of a test. */
  async remove(): Promise<void> {
    if (this.#process !== undefined) await this.kill();
  }

  async #end(terminate: (running: HoldwordProcess) => Promise<void>): Promise<void> {
    const running = this.#running();
    this.#gate.close();
    this.#address = undefined;
    await terminate(running);
    this.#process = undefined;
  }

  #running(): HoldwordProcess {
    if (this.#process === undefined) throw new Error('No server is running.');
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
