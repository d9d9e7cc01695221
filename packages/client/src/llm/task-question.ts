import type { JsonObject } from '@holdword/protocol';
import { isObject, shorten } from '@holdword/protocol/internal';
import type { AnyMessage } from './for-llm.ts';
import { contentOfPart } from './part-content.ts';

const MAX_CHOICES = 20;
const MAX_LABEL_LENGTH = 200;
const MAX_URL_LENGTH = 2_000;

const CHOICES = ['choices', 'options', 'decisions', 'enum'];
const SCHEMA = ['schema', 'requestedSchema', 'requested_schema', 'inputSchema', 'input_schema'];
const EXPIRY = ['expires_at', 'expiresAt', 'expiry', 'expires', 'deadline'];
const URL_NAMES = ['url', 'authUrl', 'auth_url', 'authorizationUrl', 'authorization_url', 'verification_uri'];

const KNOWN_NAMES: ReadonlySet<string> = new Set([...CHOICES, ...SCHEMA, ...EXPIRY, ...URL_NAMES]);

/** What an agent says about a question, besides its text. */
export interface QuestionDetails {
  readonly choices?: { value: string; label?: string }[];
  /** A JSON Schema as the agent wrote it, which may be of any size. */
  readonly schema?: JsonObject;
  readonly expiresAt?: string;
  /** Only of the schemes http and https. */
  readonly url?: string;
}

/** Whether a name in the data of a question is one that {@link questionDetails} reads. */
export function isQuestionDetail(name: string): boolean {
  return KNOWN_NAMES.has(name);
}

/**
 * A2A does not define the form of questions. Choices, schema, expiry and URL are looked up under common names in the data and
 * metadata of the status message, and one level below.
 */
export function questionDetails(message: AnyMessage | undefined): QuestionDetails {
  const contents = (message?.parts ?? []).map(contentOfPart);
  const sources = [
    ...contents.map((content) => (content.kind === 'data' ? content.data : undefined)),
    message?.metadata,
  ].flatMap(withChildren);
  const choices = firstOf(sources, CHOICES, choicesOf);
  const schema = firstOf(sources, SCHEMA, (value) => (isObject(value) ? value : undefined));
  const expiresAt = firstOf(sources, EXPIRY, timeOf);
  const url = firstOf(sources, URL_NAMES, (value) => (isWebUrl(value) ? value : undefined));
  return {
    ...(choices && { choices }),
    ...(schema !== undefined && { schema }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(url !== undefined && { url }),
  };
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

function choicesOf(value: unknown): QuestionDetails['choices'] | undefined {
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
    typeof value === 'string' &&
    value.length <= MAX_URL_LENGTH &&
    /^https?:\/\//.test(value) &&
    URL.canParse(value)
  );
}
