import { parentPort, workerData } from 'node:worker_threads';
import { prepareApplyGroup } from './apply-group.ts';
import { connectForWriting } from './connect.ts';
import { DatabaseFiles } from './database-files.ts';
import { isRejection, toRejection, type GroupResult, type ThreadReply, type Write } from './write.ts';

/**
 * The writer thread: it waits for the disk so that the main thread does not have to. Each message is a group and gets one
 * reply; `null` stops the thread.
 */
function run(port: NonNullable<typeof parentPort>, file: string): void {
  const database = connectForWriting(file);
  const applyGroup = prepareApplyGroup(database);
  const files = new DatabaseFiles(file, database);

  /** Nothing is written, and nothing acknowledged, that the next process would not find. */
  function applyKept(group: readonly Write[]): GroupResult {
    const problem = files.problem();
    if (problem !== undefined) return toRejection(problem);
    const result = applyGroup(group);
    if (isRejection(result)) return result;
    const lost = files.problemAfterCommit();
    return lost === undefined ? result : toRejection(lost);
  }

  port.on('message', (group: Write[] | null) => {
    if (group !== null) {
      const startedAt = performance.now();
      const result = applyKept(group);
      const reply: ThreadReply = { milliseconds: performance.now() - startedAt, result };
      port.postMessage(reply);
      return;
    }
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    database.close();
    port.close();
  });
}

if (parentPort === null || typeof workerData !== 'string') {
  throw new Error('The writer thread must be started as a worker with the path of the database.');
}
run(parentPort, workerData);
