import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gate } from '../load/load-context.ts';
import type { Random } from '../random.ts';
import { RestartingServer } from '../server/restarting-server.ts';
import { waitUntil } from '../../support/wait-until.ts';

export const LEASE_SECONDS = 3;
const READY_MILLISECONDS = 30_000;

export interface ReplicaSetOptions {
  folder: string;
  /** The settings for the database. */
  environment: Readonly<Record<string, string>>;
  random: Random;
  count: number;
}

/**
 * Servers on one database, and a gate that leads to any of the running ones.
 *
 * Responsible for tracking which servers are up: like a load balancer that checks /readyz, it does not route clients to a
 * killed or paused one. Leaves the timing to the campaign.
 */
export class ReplicaSet implements Gate {
  readonly #random: Random;
  readonly #servers: readonly RestartingServer[];
  readonly #serving = new Set<RestartingServer>();

  static async start({ folder, environment, random, count }: ReplicaSetOptions): Promise<ReplicaSet> {
    const servers = await Promise.all(
      Array.from({ length: count }, async (_, number) => {
        const dataFolder = join(folder, `replica-${number}`);
        await mkdir(dataFolder);
        const config = { leaseSeconds: LEASE_SECONDS };
        await writeFile(join(dataFolder, 'holdword.config.json'), JSON.stringify(config));
        return new RestartingServer({ dataFolder, environment });
      }),
    );
    const set = new ReplicaSet(servers, random);
    await Promise.all(servers.map((server) => set.#start(server)));
    return set;
  }

  private constructor(servers: readonly RestartingServer[], random: Random) {
    this.#servers = servers;
    this.#random = random;
  }

  async admitted(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    return this.address;
  }

  /** The address of any running server. */
  get address(): string {
    return this.#random.pick([...this.#serving]).address;
  }

  /** Kills one of them while the others continue. `restart` brings it back. */
  async killOne(): Promise<{ restart(): Promise<void> }> {
    const victim = this.#takeAway();
    await victim.kill();
    return { restart: () => this.#start(victim) };
  }

  /** Suspends one of them (SIGSTOP) until `resume`. */
  pauseOne(): { resume(): Promise<void> } {
    const victim = this.#takeAway();
    victim.signal('SIGSTOP');
    return {
      resume: async () => {
        victim.signal('SIGCONT');
        await this.#ready(victim);
        this.#serving.add(victim);
      },
    };
  }

  /** Resolves when all of them report that they are ready. */
  async ready(): Promise<void> {
    await Promise.all([...this.#serving].map((server) => this.#ready(server)));
  }

  async remove(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.remove()));
  }

  async #start(server: RestartingServer): Promise<void> {
    await server.start();
    this.#serving.add(server);
  }

  #takeAway(): RestartingServer {
    const victim = this.#random.pick([...this.#serving]);
    this.#serving.delete(victim);
    return victim;
  }

  async #ready(server: RestartingServer): Promise<void> {
    await waitUntil(
      `${server.address} to be ready`,
      async () => (await fetch(`${server.address}/readyz`)).ok,
      READY_MILLISECONDS,
    );
  }
}
