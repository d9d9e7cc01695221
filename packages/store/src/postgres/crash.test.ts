import { expect, it } from 'vitest';
import { startCrashChild } from '../testing/crash-child-process.ts';
import { expectAcknowledged } from '../testing/expect-acknowledged.ts';
import { usePostgres } from '../testing/postgres/use-postgres.ts';
import { openPostgresStore } from './open-postgres-store.ts';

const CRASHES = 4;
const postgres = usePostgres();

it(`loses nothing that was acknowledged when a writing process is killed, ${CRASHES} times (J1, J2)`, async () => {
  const { url, newSchema } = postgres();
  const schema = newSchema();
  const survivor = await openPostgresStore({ url, schema });
  const acknowledged = new Map<string, number>();
  for (let crash = 1; crash <= CRASHES; crash += 1) {
    const child = await startCrashChild(['postgres', url, schema]);
    for (const [taskId, sequence] of await child.killAfter(crash * 40)) acknowledged.set(taskId, sequence);
    await expectAcknowledged(survivor, acknowledged);
  }
  expect(acknowledged.size).toBeGreaterThan(CRASHES);
  await survivor.close();
}, 60_000);
