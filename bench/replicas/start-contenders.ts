import { chmod } from 'node:fs/promises';
import { startPostgres, type TestPostgres } from '@holdword/store/testing/postgres';
import { program, type Peer } from '../peers/peer.ts';
import { holdwordPostgres, sdkPostgres } from '../peers/postgres-peers.ts';
import { startPeer, type RunningPeer } from '../peers/running-peer.ts';
import type { Contender } from '../rounds.ts';

export const SDK = { name: 'sdk-postgres', title: '@a2a-js/sdk on Express' };
export const ALONE = { name: 'holdword', title: 'holdword serve, alone' };
export const WITH_EFFECTS = { name: 'holdword-with-effects', title: 'holdword serve, an agent with effects' };
export const REPLICAS = { name: 'holdword-two-replicas', title: 'holdword serve, two replicas' };

/** The contenders on one PostgreSQL server, until they are disposed. */
export interface RunningContenders extends AsyncDisposable {
  readonly contenders: readonly Contender[];
  readonly replicas: readonly [RunningPeer, RunningPeer];
  readonly postgres: TestPostgres;
  /** The contenders that are a single server, by name. */
  readonly servers: Readonly<Record<string, RunningPeer>>;
}

/** Every contender has its own database; the two replicas share one. */
export async function startContenders(dataFolder: string): Promise<RunningContenders> {
  // As root, the server runs as another user, who must be able to access the folder.
  await chmod(dataFolder, 0o755);
  await using stack = new AsyncDisposableStack();
  const postgres = await startPostgres({ parent: dataFolder });
  stack.defer(() => postgres.stop());

  async function newDatabase(name: string): Promise<string> {
    await postgres.query(`CREATE DATABASE ${name}`);
    return Object.assign(new URL(postgres.url), { pathname: name }).href;
  }
  async function start(peer: Peer): Promise<RunningPeer> {
    return stack.use(await startPeer(peer, dataFolder));
  }

  const sdk = await start(sdkPostgres(await newDatabase('sdk')));
  const alone = await start(holdwordPostgres(await newDatabase('alone')));
  const agent = program('./agent-with-effects.ts');
  const withEffects = await start(holdwordPostgres(await newDatabase('with_effects'), agent));
  const shared = await newDatabase('shared');
  const replicas = [await start(holdwordPostgres(shared)), await start(holdwordPostgres(shared))] as const;
  const servers = { [SDK.name]: sdk, [ALONE.name]: alone, [WITH_EFFECTS.name]: withEffects };
  const owned = stack.move();
  return {
    contenders: [
      ...Object.entries(servers).map(([name, { url, processId }]) => ({
        name,
        urls: [url],
        processIds: [processId],
      })),
      {
        name: REPLICAS.name,
        urls: replicas.map(({ url }) => url),
        processIds: replicas.map(({ processId }) => processId),
      },
    ],
    replicas,
    postgres,
    servers,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
