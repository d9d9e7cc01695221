import type { Part, V03TaskStatus } from '@holdword/protocol';
import { asObject, decodeRequest, isObject } from '@holdword/protocol/internal';
import {
  type ElicitRequestFormParams,
  type InputRequest,
  inputRequired,
  type PrimitiveSchemaDefinition,
  specTypeSchemas,
  type StringSchema,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { compactJsonLength } from '../artifacts/json-length.ts';
import { shortenText } from '../artifacts/shorten.ts';
import { contentsOfParts } from '../llm/part-content.ts';
import { questionDetails, type QuestionDetails } from '../llm/task-question.ts';

/** How a host can ask its user. */
export const askingSchema = z.object({ form: z.boolean(), url: z.boolean() });
export type Asking = z.infer<typeof askingSchema>;

/** The ways in which the capabilities of a request allow to ask the user. */
export function askingOf(capabilities: unknown): Asking {
  const { elicitation } = asObject(capabilities);
  if (!isObject(elicitation)) return { form: false, url: false };
  const url = isObject(elicitation['url']);
  // Before there were two modes, declaring elicitation meant forms.
  return { form: isObject(elicitation['form']) || !url, url };
}

/**
 * A question of an agent as a request to the host, and what becomes of its answer: `text` is sent as a text, `data` as data, and
 * after `consent` the agent is told that the user has agreed.
 */
export const elicitationSchema = z.object({
  request: z.custom<InputRequest>(isObject),
  answer: z.enum(['text', 'data', 'consent']),
});
export type Elicitation = z.infer<typeof elicitationSchema>;

const MAX_QUESTION_LENGTH = 2_000;
const MAX_SCHEMA_LENGTH = 8_000;
const MAX_FIELDS = 30;
/** The only field of a question without a schema. */
const FIELD = 'answer';

/** The question of a task that waits; undefined if this host cannot ask its user for it. */
export function elicitationOf(
  agentId: string,
  status: V03TaskStatus,
  asking: Asking,
): Elicitation | undefined {
  const details = questionDetails(status.message);
  const message = questionText(agentId, status);
  if (status.state === 'auth-required') return authentication(message, details.url, asking);
  if (!asking.form) return undefined;
  const fields = details.choices === undefined ? fieldsOf(details.schema) : undefined;
  if (fields !== undefined) return { request: form(message, fields), answer: 'data' };
  const properties = { [FIELD]: answerField(details.choices) };
  return { request: form(message, { properties, required: [FIELD] }), answer: 'text' };
}

/** What the agent wrote is named as such: the host shows it to its user. */
function questionText(agentId: string, { state, message }: V03TaskStatus): string {
  const text = contentsOfParts(message?.parts ?? []).find((content) => content.kind === 'text')?.text;
  const asks = state === 'auth-required' ? 'asks you to authenticate' : 'asks';
  if (text === undefined || text === '') return `The agent "${agentId}" ${asks}.`;
  return `The agent "${agentId}" ${asks}: ${shortenText(text, MAX_QUESTION_LENGTH)}`;
}

/** Without a URL there is nothing to open. A form without fields only asks to confirm: credentials must not pass through here. */
function authentication(message: string, url: string | undefined, asking: Asking): Elicitation | undefined {
  if (url !== undefined && asking.url) {
    return { request: inputRequired.elicitUrl({ message, url }), answer: 'consent' };
  }
  if (!asking.form) return undefined;
  const text = url === undefined ? message : `${message}\n${url}`;
  return { request: form(text, { properties: {}, required: [] }), answer: 'consent' };
}

interface Fields {
  properties: ElicitRequestFormParams['requestedSchema']['properties'];
  required: string[];
}

function form(message: string, fields: Fields): InputRequest {
  return inputRequired.elicit({ message, requestedSchema: { type: 'object', ...fields } });
}

function answerField(choices: QuestionDetails['choices']): PrimitiveSchemaDefinition {
  const title = 'Answer';
  if (choices === undefined) return { type: 'string', title, minLength: 1 };
  if (choices.every(({ label }) => label === undefined)) {
    return { type: 'string', title, enum: choices.map(({ value }) => value) };
  }
  const oneOf = choices.map(({ value, label = value }) => ({ const: value, title: label }));
  return { type: 'string', title, oneOf };
}

/**
 * The fields of a JSON Schema that fits into a form: an object of texts, numbers, booleans and choices. Keywords that forms do
 * not have, such as patterns, are left out. Undefined if it does not fit; then the user answers with a text.
 */
function fieldsOf(schema: QuestionDetails['schema']): Fields | undefined {
  if (schema === undefined || compactJsonLength(schema, MAX_SCHEMA_LENGTH) > MAX_SCHEMA_LENGTH)
    return undefined;
  const given = Object.entries(asObject(schema['properties']));
  if (given.length === 0 || given.length > MAX_FIELDS) return undefined;
  const properties: Fields['properties'] = {};
  for (const [name, property] of given) {
    const field = specTypeSchemas.PrimitiveSchemaDefinition['~standard'].validate(property);
    if (field.issues !== undefined) return undefined;
    Object.defineProperty(properties, name, { value: field.value, enumerable: true });
  }
  const { required } = schema;
  const names = Array.isArray(required)
    ? required.filter((name) => given.some(([each]) => each === name))
    : [];
  return { properties, required: names };
}

/** What a host answers to a request: the parts of the message to the agent, or `declined`. */
export type ElicitationAnswer = readonly Part[] | 'declined';

const CONSENT = 'The user has been asked to authenticate and has agreed. Please continue.';

/** @throws A2AError with a reason if the answer does not fit the request. */
export function readAnswer({ request, answer }: Elicitation, response: unknown): ElicitationAnswer {
  const { action, content } = decodeRequest(responseSchema, response);
  if (action !== 'accept') return 'declined';
  if (answer === 'consent') return [{ text: CONSENT }];
  const { requestedSchema } = request.params as ElicitRequestFormParams;
  const given = decodeRequest(contentSchema(requestedSchema), content);
  return answer === 'data' ? [{ data: given }] : [{ text: String(given[FIELD]) }];
}

const responseSchema = z.object({
  action: z.enum(['accept', 'decline', 'cancel']),
  content: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((content) => content ?? {}),
});

/** Not by a validator of JSON Schema: those compile every schema to code and keep it, and agents write the schemas. */
function contentSchema({ properties, required = [] }: ElicitRequestFormParams['requestedSchema']) {
  const fields = Object.entries(properties).map(([name, field]): [string, z.ZodType] => [
    name,
    required.includes(name) ? fieldSchema(field) : fieldSchema(field).optional(),
  ]);
  return z.object(Object.fromEntries(fields));
}

const TEXT_FORMATS = { email: z.email(), uri: z.url(), date: z.iso.date(), 'date-time': z.iso.datetime() };

function fieldSchema(field: PrimitiveSchemaDefinition): z.ZodType {
  if (field.type === 'boolean') return z.boolean();
  if (field.type === 'number' || field.type === 'integer') {
    const number = field.type === 'integer' ? z.int() : z.number();
    return number.min(field.minimum ?? -Infinity).max(field.maximum ?? Infinity);
  }
  if (field.type === 'array') {
    const values = 'enum' in field.items ? field.items.enum : field.items.anyOf.map((each) => each.const);
    return z
      .array(z.enum(values))
      .min(field.minItems ?? 0)
      .max(field.maxItems ?? Infinity);
  }
  if ('enum' in field) return z.enum(field.enum);
  if ('oneOf' in field) return z.enum(field.oneOf.map((each) => each.const));
  const { minLength = 0, maxLength = Infinity, format } = field as StringSchema;
  const text = z.string().min(minLength).max(maxLength);
  return format === undefined ? text : text.and(TEXT_FORMATS[format]);
}
