import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { openJsonFileStore } from '../json-file/open-json-file-store.ts';
import type { Store } from '../port.ts';
import { openPostgresStore } from '../postgres/open-postgres-store.ts';
import { openSqliteStore } from '../sqlite/open-sqlite-store.ts';
import { crashEventJson } from './crash-event.ts';
import { sampleStatus } from './sample-task.ts';

const WRITERS = 8;
const APPENDS_PER_TASK = 5;

/** Writes without a buffer, so that nothing printed is lost when the process is killed. */
function print(line: string): void {
  writeSync(1, `${line}\n`);
}

async function writeForever(store: Store): Promise<never> {
  for (;;) {
    const taskId = randomUUID();
    await store.createTask({
      taskId,
      owner: 'crash',
      contextId: 'context',
      status: sampleStatus('TASK_STATE_SUBMITTED'),
      entries: [{ json: crashEventJson(taskId, 1), changesStatus: true }],
      holder: 'child',
    });
    print(`${taskId} 1`);
    for (let append = 0; append < APPENDS_PER_TASK; append += 1) {
      const firstSequence = 2 + append * 2;
      const entries = [firstSequence, firstSequence + 1].map((sequence) => ({
        json: crashEventJson(taskId, sequence),
        changesStatus: sequence % 2 === 0,
      }));
      const status = sampleStatus('TASK_STATE_WORKING', Date.now());
      await store.append({ taskId, fence: 1, firstSequence, entries, status });
      print(`${taskId} ${firstSequence + 1}`);
    }
  }
}

function open([backend, location = '', schema = '']: string[]): Promise<Store> {
  switch (backend) {
    case 'sqlite':
      return openSqliteStore({ folder: location });
    case 'json-file':
      return openJsonFileStore({ folder: location });
    case 'postgres':
      return openPostgresStore({ url: location, schema });
    case undefined:
    default:
      throw new Error(`Unknown backend ${backend}; use sqlite, json-file or postgres.`);
  }
}

const store = await open(process.argv.slice(2));
print('open');
await Promise.all(Array.from({ length: WRITERS }, () => writeForever(store)));
