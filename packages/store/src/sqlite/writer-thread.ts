import { parentPort, workerData } from 'node:worker_threads';
import { prepareApplyGroup } from './apply-group.ts';
import { connectForWriting } from './connect.ts';
import type { ThreadAnswer, Write } from './write.ts';

/**
 * The thread that writes: it waits for the disk so that the main thread need not. Each message is a group, answered by
 * one message; `null` asks it to end.
 */
function run(port: NonNullable<typeof parentPort>, file: string): void {
  const database = connectForWriting(file);
  const applyGroup = prepareApplyGroup(database);
  port.on('message', (group: Write[] | null) => {
    if (group !== null) {
      const startedAt = performance.now();
      const answer = applyGroup(group);
      const sent: ThreadAnswer = { milliseconds: performance.now() - startedAt, answer };
      port.postMessage(sent);
      return;
    }
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    port.close();
  });
}

if (parentPort === null || typeof workerData !== 'string') {
  throw new Error('Expected to be started as a worker with the path of the database, found something else.');
}
run(parentPort, workerData);
