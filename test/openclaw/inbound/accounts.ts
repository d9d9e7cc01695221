import { join } from 'node:path';
import { exampleAccount } from '@holdword/openclaw-a2a-inbound/testing';
import type { TestPostgres } from '@holdword/store/testing/postgres';
import type { TokenIssuer } from '../../support/token-issuer.ts';
import type { HomeLocations } from '../harness/openclaw-home.ts';
import { BERT, PEERS } from './peers.ts';
import { digestOfKey, pathsOf } from './start-inbound.ts';

export interface AccountNeeds {
  readonly postgres: TestPostgres;
  readonly issuer: TokenIssuer;
}

/** The task folder of the account `default`, in the home. */
export const EXAMPLE_TASKS = 'a2a-tasks';
/** The subject of a peer's JWTs. */
export const HERMES = 'hermes@example.com';

const auth = { peers: PEERS };

/** One gateway has all accounts, because it takes long to start: each covers what the others leave off. */
export function accountsOfTheTests({ folder }: HomeLocations, { postgres, issuer }: AccountNeeds) {
  return {
    default: exampleAccount(join(folder, EXAMPLE_TASKS)),
    peers: { ...pathsOf('peers'), auth },
    files: { ...pathsOf('files'), agentStyle: 'task-generating', features: { files: true }, auth },
    durable: {
      ...pathsOf('durable'),
      agentStyle: 'task-generating',
      taskStore: { kind: 'sqlite', path: join(folder, 'tasks') },
      auth,
    },
    database: {
      ...pathsOf('database'),
      taskStore: { kind: 'postgres', url: postgres.url, schema: postgres.newSchema() },
    },
    chosen: { ...pathsOf('chosen'), defaultAgentId: 'careful' },
    rerouted: { ...pathsOf('rerouted'), defaultAgentId: 'careful' },
    features: {
      ...pathsOf('features'),
      features: { rest: true, push: true, extendedCard: true },
      push: { allowPrivate: ['127.0.0.1'] },
      auth: {
        peers: {
          bert: { keySha256: digestOfKey(BERT), tools: ['read'] },
          hermes: { subject: HERMES, tools: ['write'] },
        },
        jwt: { issuer: issuer.name, audience: issuer.audience, jwksFile: issuer.jwksFile },
      },
    },
  };
}
