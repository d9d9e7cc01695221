import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

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
  const last = reasonLines(stripVTControlCharacters(text))
    .slice(-MAX_LINES)
    .join('\n')
    .slice(-MAX_READ_CHARACTERS);
  const redacted = withoutSecrets(last, environment).replace(PATH_SHAPE, (path) =>
    STANDARD_DEVICE.test(path) ? path : '[path]',
  );
  return redacted.length > MAX_CHARACTERS ? `…${redacted.slice(1 - MAX_CHARACTERS)}` : redacted;
}

/** The lines that say why a program failed. What an interpreter prints around them does not help a caller. */
function reasonLines(text: string): string[] {
  const lines = text
    .replaceAll(ERROR_PROPERTIES, '')
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.filter(
    (line, index) => !isStackLine(line) && !isCaretLine(line) && !isCaretLine(lines[index + 1] ?? ''),
  );
}

/** The fields of an error, as Node prints them after its stack. */
const ERROR_PROPERTIES = /(?<=^[ \t]+at .+) \{\r?\n(?:[ \t].*\r?\n)*\}$/gm;

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
  return /^[~^]*\^[~^]*$/.test(line);
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
