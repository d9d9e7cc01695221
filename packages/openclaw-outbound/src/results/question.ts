import { minimizeText } from '@holdword/client';
import { isInterrupted, isObject, type JsonObject, type TaskStatus } from '@holdword/protocol';
import { cutJson } from './cut-json.ts';
import { textsOf } from './reply-text.ts';

/** What a task that waits for its user wants to know, as data. */
export interface Question {
  readonly kind: 'input-required' | 'auth-required';
  readonly text?: string;
  readonly choices?: readonly { readonly value: string; readonly label?: string }[];
  /** JSON Schema of the answer. */
  readonly schema?: unknown;
  readonly expires_at?: string;
  /** Where the user gives the agent what it needs. */
  readonly url?: string;
}

const MOST_CHOICES = 20;
const LONGEST_TEXT = 4_000;
const LONGEST_WORDS = 200;
const LONGEST_SCHEMA = 4_000;

const CHOICES = ['choices', 'options', 'decisions', 'enum'];
const SCHEMA = ['schema', 'requestedSchema', 'requested_schema', 'inputSchema', 'input_schema'];
const EXPIRY = ['expires_at', 'expiresAt', 'expiry', 'expires', 'deadline'];
const ADDRESS = ['url', 'authUrl', 'auth_url', 'authorizationUrl', 'authorization_url', 'verification_uri'];

/**
 * A2A leaves the form of questions to agents. Their words are in the message of the status; choices, a schema, an expiry
 * and an address are looked for under their usual names in its data, its metadata, and one level below.
 */
export function questionOf({ state, message }: TaskStatus): Question | undefined {
  if (!isInterrupted(state)) return undefined;
  const text = minimizeText(textsOf(message?.parts ?? []).join('\n\n'), {
    characterLimit: LONGEST_TEXT,
  }).text;
  const kind = state === 'TASK_STATE_AUTH_REQUIRED' ? 'auth-required' : 'input-required';
  const places = [...(message?.parts ?? []).map(({ data }) => data), message?.metadata].flatMap(withChildren);
  const choices = firstOf(places, CHOICES, choicesOf);
  const schema = firstOf(places, SCHEMA, (value) =>
    isObject(value) ? cutJson(value, LONGEST_SCHEMA) : undefined,
  );
  const expiry = firstOf(places, EXPIRY, timeOf);
  const url = firstOf(places, ADDRESS, (value) => (isWebUrl(value) ? value : undefined));
  return {
    kind,
    ...(text !== '' && { text }),
    ...(choices && { choices }),
    ...(schema !== undefined && { schema }),
    ...(expiry !== undefined && { expires_at: expiry }),
    ...(url !== undefined && { url }),
  };
}

function withChildren(value: unknown): JsonObject[] {
  return isObject(value) ? [value, ...Object.values(value).filter(isObject)] : [];
}

function firstOf<Value>(
  places: readonly JsonObject[],
  names: readonly string[],
  read: (value: unknown) => Value | undefined,
): Value | undefined {
  for (const place of places) {
    for (const name of names) {
      const value = Object.hasOwn(place, name) ? read(place[name]) : undefined;
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function choicesOf(value: unknown): Question['choices'] | undefined {
  if (!Array.isArray(value)) return undefined;
  const choices = value.slice(0, MOST_CHOICES).flatMap((choice: unknown) => choiceOf(choice));
  return choices.length === 0 ? undefined : choices;
}

function choiceOf(choice: unknown): { value: string; label?: string }[] {
  const value = wordsOf(choice);
  if (value !== undefined) return [{ value }];
  if (!isObject(choice)) return [];
  const label = wordsOf(choice['label'] ?? choice['name'] ?? choice['title']);
  const own = wordsOf(choice['value'] ?? choice['id'] ?? choice['optionId']) ?? label;
  return own === undefined ? [] : [{ value: own, ...(label !== undefined && label !== own && { label }) }];
}

function wordsOf(value: unknown): string | undefined {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  return String(value).replaceAll(/\s+/g, ' ').slice(0, LONGEST_WORDS);
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
