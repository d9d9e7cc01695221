import { HOLDWORD, program, type Peer } from './peer.ts';

/** The SDK on its own database, which must be empty. */
export function sdkPostgres(databaseUrl: string): Peer {
  return {
    name: 'sdk-postgres',
    title: '@a2a-js/sdk on Express, PostgreSQL',
    arguments: () => [program('./sdk-postgres-server.ts'), databaseUrl],
  };
}

/** `holdword serve` on a database that others may also use. */
export function holdwordPostgres(databaseUrl: string, agent = 'demo'): Peer {
  return {
    name: 'holdword-postgres',
    title: 'holdword serve, PostgreSQL',
    arguments: (folder) => [...HOLDWORD.arguments(folder), '--store', databaseUrl, '--agent', agent],
  };
}
