import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileNames, READERS } from '@holdword/client/internal';
import { createGuardedClient, isConnectionError, isForbiddenUrlError } from '@holdword/net/internal';
import type { Part } from '@holdword/protocol';
import { hasErrorCode } from '@holdword/protocol/internal';
import { CALL_OPTIONS } from '../calling/call-options.ts';
import { CallError } from '../calling/call-errors.ts';
import { reportMisuse, runCall } from '../calling/run-call.ts';
import { field, idLines, stateOf } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const MOST_FILE_BYTES = 1024 * 1024 * 1024;
const FILE_TIMEOUT_MILLISECONDS = 600_000;

interface SavedFile {
  readonly artifactId: string;
  readonly path: string;
  readonly mediaType: string | undefined;
  readonly bytes: number;
}

const taskDownload: Command = {
  ...listed('task download'),
  misused: reportMisuse,
  details:
    'Texts and data become files too. A file that the agent only names is fetched from its address, without credentials. ' +
    'Existing files are kept unless you add --force. What could not be saved is said, and the exit code is 1 then.',
  options: {
    ...CALL_OPTIONS,
    out: { value: 'FOLDER', description: 'Where to put the files', default: 'this folder' },
    artifact: { value: 'ID', description: 'Only this artifact' },
    force: { description: 'Replace existing files' },
  },
  examples: [
    {
      comment: 'Save what a task has made',
      command: 'holdword task download 0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11 -a localhost:4310 --out results',
    },
  ],
  page: 'guides/talk-to-an-agent.md',
  run: (input) =>
    runCall(input, async (call) => {
      const { options, operands, workingFolder } = input;
      const agent = await call.open();
      const json = await agent.call('getTask', { id: operands[0] ?? '' }, call.signal);
      const task = READERS.task(json);
      const wanted = (task.artifacts ?? []).filter(
        ({ artifactId }) => options['artifact'] === undefined || artifactId === options['artifact'],
      );
      if (options['artifact'] !== undefined && wanted.length === 0) {
        throw new CallError(
          'A2ACLI_ERR_INTERNAL',
          `The task has no artifact ${options['artifact']}.`,
          'See its artifacts with holdword task get ID --verbose.',
        );
      }
      const folder = await makeFolder(resolve(workingFolder, options['out'] ?? '.'));
      const parts = wanted.flatMap(({ artifactId, name, parts: own }) =>
        own.map((part) => ({ artifactId, title: name ?? artifactId, part })),
      );
      const names = fileNames(parts.map(({ part, title }) => namedFile(part, title)));
      const files: SavedFile[] = [];
      const problems: string[] = [];
      for (const [index, { artifactId, part }] of parts.entries()) {
        const name = names[index] ?? '';
        const path = join(folder, name);
        try {
          const content = await contentOf(part, agent.origin, call.signal);
          await writeFile(path, content, { flag: options['force'] === 'true' ? 'w' : 'wx' });
          files.push({ artifactId, path, mediaType: part.mediaType, bytes: content.length });
        } catch (error) {
          call.signal.throwIfAborted();
          problems.push(`${name}: ${whyNotSaved(error)}`);
        }
      }
      for (const problem of problems) call.diagnostics.warn(`Not saved: ${problem}.`);
      call.print({ taskId: task.id, contextId: task.contextId, state: stateOf(json), files, problems }, () =>
        [
          idLines(task, stateOf(json)),
          ...files.map(({ path, mediaType, bytes }) =>
            field(
              'File',
              [path, mediaType, `${bytes} bytes`].filter((each) => each !== undefined).join(', '),
            ),
          ),
        ].join(''),
      );
      return problems.length === 0 ? 0 : 1;
    }),
};

async function makeFolder(folder: string): Promise<string> {
  try {
    const { makeFolders } = await import('@holdword/store/internal');
    makeFolders(folder, 0o777);
    return folder;
  } catch (error) {
    throw new UsageError(
      `--out ${folder}: ${hasErrorCode(error, 'EEXIST', 'ENOTDIR') ? 'it is not a folder' : whyUnreadable(error)}.`,
    );
  }
}

function whyNotSaved(error: unknown): string {
  if (hasErrorCode(error, 'EEXIST')) return 'it exists; add --force to replace it';
  if (error instanceof CallError || isForbiddenUrlError(error) || isConnectionError(error))
    return error.message;
  return whyUnreadable(error);
}

/** What a part is called as a file. */
function namedFile({ filename, mediaType, text, data }: Part, title: string) {
  if (filename !== undefined) return { name: filename, mimeType: mediaType };
  if (data !== undefined) return { name: `${title}.json`, mimeType: mediaType };
  return { name: text === undefined ? undefined : `${title}.txt`, mimeType: mediaType };
}

/** The agent may link to files of its own, wherever it runs. */
async function contentOf(
  { text, raw, url, data }: Part,
  origin: string,
  signal: AbortSignal,
): Promise<Buffer> {
  if (raw !== undefined) return Buffer.from(raw, 'base64');
  if (text !== undefined) return Buffer.from(text);
  if (url === undefined) return Buffer.from(`${JSON.stringify(data, null, 2)}\n`);
  const client = createGuardedClient({ trustedOrigins: [origin] });
  try {
    const opened = await client.open({
      url,
      method: 'GET',
      headers: {},
      timeoutMilliseconds: FILE_TIMEOUT_MILLISECONDS,
      signal,
      repeatable: true,
    });
    if (opened.status !== 200) throw notFetched(`HTTP status ${opened.status}`);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of opened.body) {
      bytes += chunk.length;
      if (bytes > MOST_FILE_BYTES) throw notFetched(`it is larger than ${MOST_FILE_BYTES} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    client.close();
  }
}

function notFetched(why: string): CallError {
  return new CallError('A2ACLI_ERR_INTERNAL', why);
}

export const commands: readonly Command[] = [taskDownload];
