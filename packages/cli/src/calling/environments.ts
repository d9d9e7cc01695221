/*
 * Named agents of a user: `-a work` stands for an address and for where its key comes from. The file holds no secrets: it says in
 * which variable, file or program the key is, which is read when the agent is called and at no other time.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describeIssues, hasErrorCode, PROTOCOL_VERSIONS, shorten } from '@holdword/protocol/internal';
import { z } from 'zod';
import { whyUnreadable } from '../config/why-unreadable.ts';
import { UsageError } from '../usage-error.ts';

const COMMAND_TIMEOUT_MILLISECONDS = 30_000;
const MOST_KEY_BYTES = 64 * 1024;
const NAME = /^[a-z\d][\w-]{0,63}$/i;

type Variables = Readonly<Record<string, string | undefined>>;

/** Where a key is: `env:NAME`, `file:PATH` or `command:COMMAND`. */
const keySource = z.string().regex(/^(env:[A-Za-z_]\w*|file:.+|command:.+)$/s, {
  error: 'expected env:NAME, file:PATH or command:COMMAND',
});

const environmentSchema = z.strictObject({
  url: z.string().min(1),
  keyFrom: keySource.optional(),
  a2aVersion: z.enum(PROTOCOL_VERSIONS).optional(),
  transport: z.array(z.string()).optional(),
});
const fileSchema = z.record(z.string().regex(NAME), environmentSchema);

/** An agent that the user has given a name. */
export type Environment = z.infer<typeof environmentSchema>;
export type Environments = Readonly<Record<string, Environment>>;

/** The folder of the settings of this user. */
export function userFolder(variables: Variables): string {
  const base = variables['XDG_CONFIG_HOME'] || join(variables['HOME'] ?? homedir(), '.config');
  return join(base, 'holdword');
}

export function environmentsFile(variables: Variables): string {
  return join(userFolder(variables), 'environments.json');
}

/** @throws UsageError if the file cannot be read or used */
export async function readEnvironments(variables: Variables): Promise<Environments> {
  const file = environmentsFile(variables);
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT', 'ENOTDIR')) return {};
    throw new UsageError(`Cannot read the environments in ${file}: ${whyUnreadable(error)}.`);
  }
  const { data, error } = fileSchema.safeParse(content);
  if (error === undefined) return data;
  throw new UsageError(`The environments in ${file} are invalid: ${describeIssues(error.issues, content)}.`);
}

/** A name cannot be mistaken for a host with a port or a domain, a URL or a file. */
export function isEnvironmentName(text: string): boolean {
  return NAME.test(text) && text.toLowerCase() !== 'localhost';
}

/** What a name after `-a` stands for. */
export interface NamedAgent extends Environment {
  /** Reads the key, where there is one. */
  readonly key: () => Promise<string | undefined>;
}

/** The agent that `-a` names, if it is such a name. The file is not opened for what is a host, a URL or a file. */
export async function findNamedAgent(
  reference: string | undefined,
  variables: Variables,
): Promise<NamedAgent | undefined> {
  if (reference === undefined || !isEnvironmentName(reference)) return undefined;
  const environments = await readEnvironments(variables);
  const found = Object.hasOwn(environments, reference) ? environments[reference] : undefined;
  if (found === undefined) return undefined;
  const { keyFrom } = found;
  return { ...found, key: async () => (keyFrom === undefined ? undefined : readKey(keyFrom, variables)) };
}

/** @throws UsageError that shows the value only if it names its kind: it may be a key that was given by mistake */
export function checkKeySource(text: string): string {
  const { error } = keySource.safeParse(text);
  if (error === undefined) return text;
  throw new UsageError(
    `--key-from: ${error.issues[0]?.message}. A key itself is not stored: put it into a variable or a file.`,
  );
}

/** Reads a key from where it is. @throws UsageError that says what to do, without the key */
export async function readKey(source: string, variables: Variables): Promise<string> {
  const colon = source.indexOf(':');
  const [kind, rest] = [source.slice(0, colon), source.slice(colon + 1)];
  const key = (await READERS[kind as keyof typeof READERS](rest, variables)).trim();
  if (key === '') throw new UsageError(`${describeKeySource(source)} is empty, so there is no key to send.`);
  return key;
}

/** Where a key comes from, for people. */
export function describeKeySource(source: string): string {
  const colon = source.indexOf(':');
  const rest = shorten(source.slice(colon + 1), 100);
  return { env: `The variable ${rest}`, file: `The file ${rest}`, command: `The command "${rest}"` }[
    source.slice(0, colon) as keyof typeof READERS
  ];
}

const READERS = {
  async env(name: string, variables: Variables): Promise<string> {
    const value = variables[name];
    if (value !== undefined) return value;
    throw new UsageError(
      `The variable ${name} is not set. It holds the key of this agent: export ${name}=KEY`,
    );
  },
  async file(path: string): Promise<string> {
    try {
      return (await readFile(path, 'utf8')).slice(0, MOST_KEY_BYTES);
    } catch (error) {
      throw new UsageError(`The key of this agent cannot be read from ${path}: ${whyUnreadable(error)}.`);
    }
  },
  /** In a shell, as the user wrote it. What it prints to stderr is not shown: it may contain the key. */
  async command(command: string, variables: Variables): Promise<string> {
    const [shell, flag] = process.platform === 'win32' ? ['cmd.exe', '/c'] : ['/bin/sh', '-c'];
    const options = {
      timeout: COMMAND_TIMEOUT_MILLISECONDS,
      maxBuffer: MOST_KEY_BYTES,
      env: { ...variables },
    };
    try {
      const { stdout } = await promisify(execFile)(shell, [flag, command], options);
      return stdout;
    } catch (error) {
      const { code, killed } = error as { code?: unknown; killed?: boolean };
      const why =
        killed === true
          ? `took more than ${COMMAND_TIMEOUT_MILLISECONDS / 1000} seconds`
          : `failed (${String(code)})`;
      throw new UsageError(
        `The command that prints the key of this agent ${why}: ${shorten(command, 100)}. Run it yourself to see why.`,
      );
    }
  },
};
