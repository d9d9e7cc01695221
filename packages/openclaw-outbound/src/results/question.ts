import { isInterrupted, type JsonObject, type TaskStatus } from '@holdword/protocol';
import { isObject, shorten } from '@holdword/protocol/internal';
import type { Question } from '../contract.ts';
import { cutJson, cutText } from './foreign-text.ts';
import { textOf } from '../calls/reply.ts';

const MAX_CHOICES = 20;
const MAX_TEXT_LENGTH = 4_000;
const MAX_LABEL_LENGTH = 200;
const MAX_SCHEMA_LENGTH = 4_000;

const CHOICES = ['choices', 'options', 'decisions', 'enum'];
const SCHEMA = ['schema', 'requestedSchema', 'requested_schema', 'inputSchema', 'input_schema'];
const EXPIRY = ['expires_at', 'expiresAt', 'expiry', 'expires', 'deadline'];
const URL_NAMES = ['url', 'authUrl', 'auth_url', 'authorizationUrl', 'authorization_url', 'verification_uri'];

const KNOWN_NAMES: ReadonlySet<string> = new Set([...CHOICES, ...SCHEMA, ...EXPIRY, ...URL_NAMES]);

/** Whether data of a status message says more than its question does. */
export function saysMoreThanQuestion(data: unknown): boolean {
  return !isObject(data) || Object.keys(data).some((name) => !KNOWN_NAMES.has(name));
}

/**
 * A2A does not define the form of questions. The text is in the status message; choices, schema, expiry and URL are looked up
 * under common names in the message's data and metadata, and one level below.
 */
export function questionOf({ state, message }: TaskStatus): Question | undefined {
  if (!isInterrupted(state)) return undefined;
  const text = questionText(textOf(message?.parts ?? []));
  const kind = state === 'TASK_STATE_AUTH_REQUIRED' ? 'auth-required' : 'input-required';
  const sources = [...(message?.parts ?? []).map(({ data }) => data), message?.metadata].flatMap(
    withChildren,
  );
  const choices = firstOf(sources, CHOICES, choicesOf);
  const schema = firstOf(sources, SCHEMA, (value) =>
    isObject(value) ? cutJson(value, MAX_SCHEMA_LENGTH) : undefined,
  );
  const expiry = firstOf(sources, EXPIRY, timeOf);
  const url = firstOf(sources, URL_NAMES, (value) => (isWebUrl(value) ? value : undefined));
  return {
    kind,
    ...(text !== '' && { text }),
    ...(choices && { choices }),
    ...(schema !== undefined && { schema }),
    ...(expiry !== undefined && { expires_at: expiry }),
    ...(url !== undefined && { url }),
  };
}

/** The text of a status message as the text of a question. */
export function questionText(text: string): string {
  return cutText(text, MAX_TEXT_LENGTH);
}

function withChildren(value: unknown): JsonObject[] {
  return isObject(value) ? [value, ...Object.values(value).filter(isObject)] : [];
}

function firstOf<Value>(
  sources: readonly JsonObject[],
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const source of sources) {
    for (const name of names) {
      const value = Object.hasOwn(source, name) ? read(source[name]) : undefined;
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function choicesOf(value: unknown): Question['choices'] | undefined {
  if (!Array.isArray(value)) return undefined;
  const choices = value.slice(0, MAX_CHOICES).flatMap((choice: unknown) => choiceOf(choice));
  return choices.length === 0 ? undefined : choices;
}

function choiceOf(choice: unknown): { value: string; label?: string }[] {
  const value = shortText(choice);
  if (value !== undefined) return [{ value }];
  if (!isObject(choice)) return [];
  const label = shortText(choice['label'] ?? choice['name'] ?? choice['title']);
  const own = shortText(choice['value'] ?? choice['id'] ?? choice['optionId']) ?? label;
  return own === undefined ? [] : [{ value: own, ...(label !== undefined && label !== own && { label }) }];
}

function shortText(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return shorten(String(value).replaceAll(/\s+/g, ' '), MAX_LABEL_LENGTH);
}

function timeOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  const time = new Date(value);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function isWebUrl(value: unknown): value is string {
  return (
    typeof value === 'string' && value.length <= 2_000 && /^https?:\/\//.test(value) && URL.canParse(value)
  );
}
