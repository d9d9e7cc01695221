import { resolve } from 'node:path';
import { ownerKey } from '@holdword/runtime/internal';
import { reportMisuse, runCall } from '../calling/run-call.ts';
import { field } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import { JSON_OPTION, printData } from '../command-line/json-output.ts';
import type { Terminal } from '../command-line/terminal.ts';
import { importTask } from '../recording/import-task.ts';
import {
  RecordingWriter,
  writeEvents,
  writeRecordingFile,
  type WriteText,
} from '../recording/write-recording.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { TASK_SOURCE_OPTIONS, withTaskEvents } from './task-source.ts';
import { STORE_OPTIONS, withStore } from './with-store.ts';

const PAGE = 'guides/record-and-replay.md';

const taskExport: Command = {
  ...listed('task export'),
  misused: reportMisuse,
  details:
    'Writes one line of JSON per event, each with a digest, so that every later change of the file is noticed. From an agent that does ' +
    'not keep the events of its tasks, the file has the task as it is. Files and secrets that were part of the task are in the file.',
  options: {
    ...TASK_SOURCE_OPTIONS,
    out: { value: 'FILE', description: 'The file to write', default: 'standard output' },
    force: { description: 'Replace an existing file' },
  },
  examples: [
    {
      comment: 'Keep what happened in a task',
      command: 'holdword task export 0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11 -a localhost:4310 --out trip.jsonl',
    },
  ],
  page: PAGE,
  run: (input) =>
    runCall(input, async (call) => {
      const [taskId = ''] = input.operands;
      const { out, force } = input.options;
      const path = out === undefined ? undefined : resolve(input.workingFolder, out);
      await withTaskEvents(call, taskId, async (found) => {
        const { partial = false } = found.header;
        if (partial) call.diagnostics.warn('The agent does not keep events: the file has the task as it is.');
        if (path === undefined) {
          await writeEvents(new RecordingWriter(printTo(input.terminal)), found);
          return;
        }
        let events = 0;
        await writeRecordingFile(
          path,
          async (writer) => {
            await writeEvents(writer, found);
            ({ events } = writer);
          },
          { force: force === 'true' },
        );
        call.print({ taskId, file: path, events, partial }, () =>
          [field('Task ID', taskId), field('File', path), field('Events', String(events))].join(''),
        );
      });
    }),
};

/** Prints at the speed of the reader. */
function printTo(terminal: Terminal): WriteText {
  return async (text) => {
    terminal.out(text);
    await terminal.written();
  };
}

const taskImport: Command = {
  ...listed('task import'),
  details:
    'The file is verified to its last line before anything is stored, and the first line that is wrong is named. The task keeps its id ' +
    'unless you add --new-id; an existing task is never replaced. An import that was interrupted is run again. For operators: it ' +
    'writes to the data of the server, so the task belongs to whomever you name.',
  options: {
    'new-id': { description: 'Give the task and its context new ids' },
    task: { value: 'ID', description: 'Which task of a file with several', default: 'the only one' },
    caller: {
      value: 'NAME',
      description: 'Whose task it becomes: the name of an API key, or the subject of a token',
      default: 'callers without a credential',
    },
    tenant: { value: 'NAME', description: 'The tenant of that caller', default: 'none' },
    ...JSON_OPTION,
    ...STORE_OPTIONS,
  },
  examples: [
    {
      comment: 'Look at a task of another server in your own',
      command: 'holdword task import trip.jsonl --new-id',
    },
  ],
  page: PAGE,
  async run(input) {
    const [file = ''] = input.operands;
    const { caller, tenant = '', task: taskId } = input.options;
    if (caller === '') throw new UsageError('--caller: expected a name, found nothing.');
    const owner = ownerKey({ tenant, caller: caller ?? '', authenticated: caller !== undefined });
    const imported = await withStore(input, 'tasks', (store) =>
      importTask(store, resolve(input.workingFolder, file), {
        owner,
        newId: input.options['new-id'] === 'true',
        taskId,
      }),
    );
    printData(input, imported, () =>
      input.terminal.out(`Imported task ${imported.taskId}: ${imported.events} events, ${imported.state}.\n`),
    );
    return 0;
  },
};

export const commands: readonly Command[] = [taskExport, taskImport];
