/**
 * A server that starts processes and waits to be killed: `crashing-server.ts FOLDER COUNT PROGRAM [ARGUMENT...]`. It prints
 * `ready` when all of them have printed it.
 */
import { createInterface } from 'node:readline';
import { noopLog } from '../../../log.ts';
import { ProcessTable } from '../process-table.ts';

const [folder = '', count = '', file = '', ...words] = process.argv.slice(2);
const table = await ProcessTable.open({ folder, log: noopLog });
const command = { file, arguments: words, environment: { PATH: process.env['PATH'] ?? '' } };
await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    const owned = await table.spawn({ ...command, workingDirectory: folder });
    for await (const line of createInterface({ input: owned.standardOutput })) if (line === 'ready') return;
  }),
);
process.stdout.write('ready\n');
