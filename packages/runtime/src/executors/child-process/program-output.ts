import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

const MAX_LINES = 3;
const MAX_CHARACTERS = 500;
/** Secrets are redacted before the text is cut: half a secret would not be recognized. */
const MAX_READ_CHARACTERS = 4_000;
const SECRET_NAME = /key|token|secret|password|passwd|credential|auth/i;
/** Shorter values may be ordinary words. */
const MIN_SECRET_LENGTH = 8;
const REDACTED = '[redacted]';

/** Patterns of well-known secrets. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[a-z])[-_][\w-]{8,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bAKIA[A-Z0-9]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /(?<=\b[\w-]*(?:key|token)["']?\s*[:=]\s*["']?)[^\s"',;]{8,}/gi,
  ...passwordShapes(),
];

/** People choose passwords, so a value may be as short as a word. In quotes it may contain spaces. */
function passwordShapes(): RegExp[] {
  const name = String.raw`(?:password|passwd|passphrase|pwd|secret)\\?["']?[ \t]*[:=]+>?[ \t]*`;
  return [
    String.raw`(?<=${name}")(?:[^"\\\n]|\\.)+`,
    String.raw`(?<=${name}')(?:[^'\\\n]|\\.)+`,
    String.raw`(?<=${name})(?!>\s)[^\s"']\S*`,
  ].map((pattern) => new RegExp(pattern, 'gi'));
}

/** A path from the root, the home folder or a drive; not the path of a URL. */
const PATH_SHAPE = /(?<=^|[\s"'`(=[<,:]|file:\/\/)(?:~|[A-Za-z]:)?[\\/](?![\\/])[\w.@+%~-][^\s"'`)\]>,;:]*/gm;

/** Redacts the values of variables with secret-like names, and everything that looks like a secret. */
export function withoutSecrets(text: string, environment: Readonly<Record<string, string>>): string {
  const values = Object.entries(environment)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= MIN_SECRET_LENGTH)
    .map(([, value]) => value)
    .toSorted((one, other) => other.length - one.length);
  const withoutValues = values.reduce((left, value) => left.replaceAll(value, REDACTED), text);
  return SECRET_SHAPES.reduce((left, shape) => left.replace(shape, REDACTED), withoutValues);
}

/** Names that every process has: they say nothing about this machine. */
const STANDARD_DEVICE = /^\/dev\/(?:std(?:in|out|err)|fd\/\d+|null|tty)$/;

/** The last lines of a program's error output for a caller: short, without secrets, local paths and terminal colours. */
export function publicOutput(text: string, environment: Readonly<Record<string, string>>): string {
  const last = reasonLines(text.replaceAll(TERMINAL_SEQUENCES, ''))
    .slice(-MAX_LINES)
    .join('\n')
    .slice(-MAX_READ_CHARACTERS);
  const redacted = withoutSecrets(last, environment).replace(PATH_SHAPE, (path) =>
    STANDARD_DEVICE.test(path) ? path : '[path]',
  );
  return redacted.length > MAX_CHARACTERS ? `…${redacted.slice(1 - MAX_CHARACTERS)}` : redacted;
}

/**
 * Colours, cursor movements, titles and links (ECMA-48). Node's stripVTControlCharacters takes minutes for a megabyte of
 * sequences that do not end, which any program can print; here no character is read twice.
 */
const TERMINAL_SEQUENCES = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?`,
    String.raw`\x1b\][^\x07\x1b\r\n]*(?:\x07|\x1b\\)?`,
    String.raw`\x1b[ -Z\\-~]?`,
  ].join('|'),
  'g',
);

/** The lines that say why a program failed. What an interpreter prints around them does not help a caller. */
function reasonLines(text: string): string[] {
  const lines = withoutErrorProperties(text.split(/\r?\n|\r/))
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.filter(
    (line, index) => !isStackLine(line) && !isCaretLine(line) && !isCaretLine(lines[index + 1] ?? ''),
  );
}

/** Removes the fields of an error, which Node prints after its stack: an indented block in braces. */
function withoutErrorProperties(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as string;
    const begins = /^[ \t]+at .* \{$/.test(line);
    const end = begins ? endOfIndented(lines, index + 1) : index;
    if (begins && lines[end] === '}') {
      kept.push(line.slice(0, -2));
      index = end;
      continue;
    }
    kept.push(line);
    // None of the indented lines begins a block either: it would end at the same line.
    for (; index + 1 < end; index += 1) kept.push(lines[index + 1] as string);
  }
  return kept;
}

/** The first line at or after `start` that is not indented. */
function endOfIndented(lines: readonly string[], start: number): number {
  let end = start;
  while (/^[ \t]/.test(lines[end] ?? '')) end += 1;
  return end;
}

/** Also the position before an excerpt of the source, and the version that Node prints last. */
function isStackLine(line: string): boolean {
  return (
    /^at .+[:)]\d*\)?$/.test(line) ||
    /^File ".+", line \d+/.test(line) ||
    /^(?:node:|file:|[\\/]|[A-Za-z]:\\)\S+:\d+$/.test(line) ||
    /^Node\.js v\d+\.\d+\.\d+$/.test(line)
  );
}

/** Points into the line of source before it. */
function isCaretLine(line: string): boolean {
  return line.includes('^') && /^[~^]+$/.test(line);
}

/** Reads a stream to its end and returns its last `limit` bytes, or slightly less to not split a character. */
export async function readTail(stream: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      while (chunks[0] !== undefined && size - chunks[0].length >= limit) {
        size -= chunks[0].length;
        chunks.shift();
      }
    }
  } catch {
    // The stream was closed early; what has arrived is the output.
  }
  return new StringDecoder('utf8').write(fromWholeCharacter(Buffer.concat(chunks), limit));
}

function fromWholeCharacter(bytes: Buffer, limit: number): Buffer {
  let start = Math.max(0, bytes.length - limit);
  if (start === 0) return bytes;
  // Bytes of the form 10xxxxxx continue a character.
  while (start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}
