import { stripVTControlCharacters } from 'node:util';

const MAX_LINES = 3;
const MAX_CHARACTERS = 500;
/** Secrets are looked for before the text is cut: the rest of a cut one would not be known. */
const MAX_READ_CHARACTERS = 4_000;
const SECRET_NAME = /key|token|secret|password|passwd|credential|auth/i;
/** Shorter values are words that stand in any text. */
const SHORTEST_SECRET = 8;
const REDACTED = '[redacted]';

/** What secrets look like wherever they come from. */
const SECRET_SHAPES: readonly RegExp[] = [
  /\b(?:sk|pk|rk|ghp|gho|ghs|github_pat|glpat|xox[a-z])[-_][\w-]{8,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bAKIA[A-Z0-9]{12,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(?<=\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  /(?<=:\/\/[^\s/:@]*:)[^\s/@]+(?=@)/g,
  /(?<=\b[\w-]*(?:key|token|secret|password)["']?\s*[:=]\s*["']?)[^\s"',;]{8,}/gi,
];

/** A path from the root, the home folder or a drive; not the path of a URL. */
const PATH_SHAPE = /(?<=^|[\s"'`(=[<,:]|file:\/\/)(?:~|[A-Za-z]:)?[\\/](?![\\/])[\w.@+%~-][^\s"'`)\]>,;:]*/gm;

/** The text without the values of secret-looking variables and without what looks like a secret anyway. */
export function withoutSecrets(text: string, environment: Readonly<Record<string, string>>): string {
  const values = Object.entries(environment)
    .filter(([name, value]) => SECRET_NAME.test(name) && value.length >= SHORTEST_SECRET)
    .map(([, value]) => value)
    .toSorted((one, other) => other.length - one.length);
  const withoutValues = values.reduce((left, value) => left.replaceAll(value, REDACTED), text);
  return SECRET_SHAPES.reduce((left, shape) => left.replace(shape, REDACTED), withoutValues);
}

/**
 * The last lines of a program's complaint for a caller to read: without secrets, without paths of this machine, without
 * the colours of a terminal, and short.
 */
export function publicOutput(text: string, environment: Readonly<Record<string, string>>): string {
  const lines = stripVTControlCharacters(text)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !isStackLine(line));
  const last = lines.slice(-MAX_LINES).join('\n').slice(-MAX_READ_CHARACTERS);
  const told = withoutSecrets(last, environment).replace(PATH_SHAPE, '[path]');
  return told.length > MAX_CHARACTERS ? `…${told.slice(1 - MAX_CHARACTERS)}` : told;
}

/** Where in its code a program failed is its author's concern. */
function isStackLine(line: string): boolean {
  return /^at .+[:)]\d*\)?$/.test(line) || /^File ".+", line \d+/.test(line);
}
