import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@holdword/store/testing/postgres';
import { freePort } from '../support/free-port.ts';
import { collect, type Output } from './collect.ts';
import { readPage, type CommandStep, type PageStep } from './read-page.ts';
import type { ReaderMachine } from './reader-machine.ts';
import { showsSameOutput, withoutChance } from './same-output.ts';
import { Shell } from './shell.ts';

const root = join(import.meta.dirname, '..', '..');
const READY = 'Press Ctrl-C to stop.';
const GLOBAL_INSTALL = /^npm install --global \S+\n$/;
/** What pages show as the folder of their reader. */
const SHOWN_FOLDER = '/home/you/project';

/** What pages show as the database of their reader. */
const SHOWN_DATABASE = 'postgres://holdword:secret@127.0.0.1:5432/holdword';

/** Does what a page says, from top to bottom, as its reader would: in an empty folder, on real servers. */
export async function runPage(markdown: string, machine: ReaderMachine): Promise<void> {
  const postgres = markdown.includes(SHOWN_DATABASE) ? await startPostgres() : undefined;
  const reader = await Reader.create(machine, postgres?.url);
  try {
    for (const step of readPage(markdown)) await reader.follow(step);
  } finally {
    await reader.leave();
    await postgres?.stop();
  }
}

/** One reader: a folder, ports instead of 4310, 4311 and 4320, a database, a terminal, and others for servers. */
class Reader {
  readonly #machine: ReaderMachine;
  readonly #folder: string;
  readonly #port: number;
  /** For a second server, instead of 4320. */
  readonly #secondPort: number;
  readonly #databaseUrl: string;
  #servers: Server[] = [];
  /** Whether the page has said how to get the command. Until then it is not there. */
  #installed = false;
  #shell: Shell | undefined;

  static async create(machine: ReaderMachine, databaseUrl = SHOWN_DATABASE): Promise<Reader> {
    const folder = await mkdtemp(join(tmpdir(), 'holdword-docs-'));
    await mkdir(join(folder, 'project'));
    const ports = [await freePortPair(), await freePort()] as const;
    return new Reader(machine, folder, ports, databaseUrl);
  }

  private constructor(
    machine: ReaderMachine,
    folder: string,
    [port, secondPort]: readonly [number, number],
    databaseUrl: string,
  ) {
    this.#machine = machine;
    this.#folder = folder;
    this.#port = port;
    this.#secondPort = secondPort;
    this.#databaseUrl = databaseUrl;
  }

  async follow(step: PageStep): Promise<void> {
    if (step.kind === 'file') {
      await writeFile(join(this.#project, step.name), this.#withPorts(step.text));
      return;
    }
    const printed = step.kind === 'serve' ? await this.#serve(step) : await this.#run(step);
    const shown = step.output;
    if (shown === undefined || showsSameOutput(shown, this.#asShown(printed))) return;
    throw new Error(
      `line ${step.line} shows\n${shown}\nbut prints\n${withoutChance(this.#asShown(printed))}`,
    );
  }

  async leave(): Promise<void> {
    await this.#stopServers();
    await this.#shell?.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #project(): string {
    return join(this.#folder, 'project');
  }

  async #serve({ text, output, also }: CommandStep): Promise<string> {
    if (also === undefined) await this.#stopServers();
    const server = new Server(this.#command(text), { cwd: this.#project, env: this.#environment });
    this.#servers.push(server);
    return server.ready((printed) => output !== undefined && showsSameOutput(output, this.#asShown(printed)));
  }

  async #stopServers(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map((server) => server.stop()));
  }

  async #run({ line, text }: CommandStep): Promise<string> {
    if (GLOBAL_INSTALL.test(text)) {
      await this.#machine.installGlobally(text);
      this.#installed = true;
      return this.#inShell(line, `export PATH='${this.#environment['PATH']}'\n`);
    }
    return this.#inShell(line, this.#command(text));
  }

  async #inShell(line: number, block: string): Promise<string> {
    this.#shell ??= new Shell({
      folder: this.#project,
      script: join(this.#folder, 'block.sh'),
      environment: this.#environment,
    });
    try {
      return await this.#shell.run(block);
    } catch (error) {
      throw new Error(`line ${line} ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }

  get #environment(): NodeJS.ProcessEnv {
    return {
      ...this.#machine.environment({ installed: this.#installed }),
      HOLDWORD_PORT: String(this.#port),
      // What a page keeps for its reader is not that of who runs the tests.
      XDG_CONFIG_HOME: join(this.#project, '.config'),
    };
  }

  /** Commands of a clone run in this one, wherever the reader keeps it. Their data stays in the reader's folder. */
  #command(text: string): string {
    const command = this.#withPorts(text.replaceAll(SHOWN_DATABASE, this.#databaseUrl)).replaceAll(
      /\bexamples\//g,
      `${root}/examples/`,
    );
    if (!/^npm (start|run)\b/m.test(text)) return command;
    return `(\nexport HOLDWORD_DATA='${this.#project}/.holdword'\ncd '${root}'\n${command})\n`;
  }

  /** Whole ports only: another one may begin with the same digits. */
  #withPorts(text: string): string {
    return text
      .replaceAll(/\b4310\b/g, String(this.#port))
      .replaceAll(/\b4311\b/g, String(this.#port + 1))
      .replaceAll(/\b4320\b/g, String(this.#secondPort));
  }

  #asShown(text: string): string {
    return text
      .replaceAll(this.#project, SHOWN_FOLDER)
      .replaceAll(publicName(this.#databaseUrl), publicName(SHOWN_DATABASE))
      .replaceAll(String(this.#port), '4310')
      .replaceAll(String(this.#port + 1), '4311')
      .replaceAll(String(this.#secondPort), '4320');
  }
}

/** A database as Holdword names it. */
function publicName(url: string): string {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
}

class Server {
  readonly #child: ChildProcess;
  readonly #output: Output;

  constructor(command: string, options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that a signal reaches the server behind the shell.
      detached: true,
    });
    this.#output = collect(this.#child);
  }

  /** Waits until a server of ours says that it is ready, or a program has printed what the page shows. */
  async ready(isShown: (printed: string) => boolean): Promise<string> {
    const ended = once(this.#child, 'close').then(() => 'ended');
    while (!this.#output.printed().includes(READY) && !isShown(this.#output.printed())) {
      const next = once(this.#child.stdout ?? this.#child, 'data').then(() => 'more');
      if ((await Promise.race([next, ended])) === 'ended') {
        throw new Error(`the server ended before it was ready:\n${this.#output.all()}`);
      }
    }
    return this.#output.printed();
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const closed = once(this.#child, 'close');
    if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGTERM');
    await closed;
  }
}

/** A free port whose neighbour is free too: the second one is for gRPC. */
async function freePortPair(): Promise<number> {
  for (;;) {
    const first = await listen(0);
    const { port } = first.address() as { port: number };
    const second = await listen(port + 1).catch(() => undefined);
    first.close();
    second?.close();
    if (second !== undefined) return port;
  }
}

async function listen(port: number) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
