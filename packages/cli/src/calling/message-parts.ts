import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { mediaTypeOf } from '@holdword/client/internal';
import type { Part } from '@holdword/protocol';
import { shorten } from '@holdword/protocol/internal';
import type { CommandInput, GivenArgument } from '../command-line/command.ts';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { UsageError } from '../usage-error.ts';

/** The options that add parts to a message. */
export const PART_OPTIONS = {
  text: { value: 'TEXT', description: 'A text; the same as TEXT without an option', repeatable: true },
  file: {
    value: 'PATH|URL',
    description: 'A file: its content, or its address if it is a URL, which the agent fetches',
    repeatable: true,
  },
  data: { value: 'PATH|-', description: 'A file with JSON, or - for stdin', repeatable: true },
  'media-type': {
    value: 'TYPE',
    description: 'The media type of the part right before it',
    default: 'by the name of the file',
    repeatable: true,
  },
} as const;

/** The parts of the message, in the order of the command line. */
export async function messageParts({
  given,
  workingFolder,
}: Pick<CommandInput, 'given' | 'workingFolder'>): Promise<Part[]> {
  if (given.filter(({ name, value }) => name === 'data' && value === '-').length > 1) {
    throw new UsageError('--data -: stdin can be read once.');
  }
  const parts: Part[] = [];
  let previous: GivenArgument | undefined;
  for (const argument of given) {
    const { name, value } = argument;
    if (name === 'media-type') {
      const part = parts.at(-1);
      if (part === undefined || !isPart(previous)) {
        throw new UsageError('--media-type: goes right after the part that it is for.');
      }
      part.mediaType = value;
    } else if (isPart(argument)) {
      parts.push(await toPart(name, value, workingFolder));
    }
    previous = argument;
  }
  if (parts.length > 0) return parts;
  throw new UsageError('The message is empty. Add a text, such as: holdword send -a AGENT "Hello".');
}

function isPart(argument: GivenArgument | undefined): boolean {
  return argument !== undefined && [undefined, 'text', 'file', 'data'].includes(argument.name);
}

async function toPart(name: string | undefined, value: string, folder: string): Promise<Part> {
  if (name === 'data') return { data: parseData(value, await readData(value, folder)) };
  if (name !== 'file') {
    if (value === '') throw new UsageError('The text is empty.');
    return { text: value };
  }
  const filename = basename(URL.canParse(value) ? new URL(value).pathname : value);
  const mediaType = mediaTypeOf(filename) ?? 'application/octet-stream';
  if (/^https?:\/\//i.test(value)) return { url: value, ...(filename !== '' && { filename }), mediaType };
  const content = await read('--file', value, folder);
  return { raw: content.toString('base64'), filename, mediaType };
}

async function readData(value: string, folder: string): Promise<string> {
  return value === '-' ? readAll(process.stdin) : (await read('--data', value, folder)).toString();
}

function parseData(value: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`--data ${shorten(value, 100)}: not valid JSON: ${shorten(why, 200)}`);
  }
}

async function read(option: string, path: string, folder: string): Promise<Buffer> {
  try {
    return await readFile(resolve(folder, path));
  } catch (error) {
    throw new UsageError(`${option} ${shorten(path, 200)}: ${whyUnreadable(error)}.`);
  }
}
