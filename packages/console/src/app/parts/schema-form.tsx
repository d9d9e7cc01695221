// A form made from the JSON Schema of a question. It covers what people are asked: texts, numbers, choices, dates, yes or no,
// lists of those. Anything else is a field for JSON. The server validates; this only helps.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { visibleLine } from '../core/foreign-text.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

const MOST_FIELDS = 100;
const FORMATS: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'datetime-local',
  email: 'email',
  time: 'time',
  uri: 'url',
  password: 'password',
};

interface Field {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** The fields of a schema for an object; nothing for a schema of any other kind. */
export function fieldsOf(schema: unknown): Field[] | undefined {
  if (!isObject(schema) || !isObject(schema['properties'])) return undefined;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.entries(schema['properties'])
    .slice(0, MOST_FIELDS)
    .map(([name, field]) => ({
      name,
      schema: isObject(field) ? field : {},
      required: required.includes(name),
    }));
}

export function SchemaForm({
  schema,
  submit,
  busy,
  action,
}: {
  schema: JsonSchema;
  submit: (data: Record<string, unknown>) => void;
  busy: boolean;
  action: string;
}): JSX.Element {
  const fields = fieldsOf(schema) ?? [];
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(
      fields
        .filter(({ schema: field }) => 'default' in field)
        .map(({ name, schema: field }) => [name, field['default']]),
    ),
  );
  const [wrong, setWrong] = useState<string>();
  const send = (event: Event): void => {
    event.preventDefault();
    try {
      setWrong(undefined);
      submit(Object.fromEntries(fields.flatMap((field) => entryOf(field, values[field.name]))));
    } catch (error) {
      setWrong(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form class="form" onSubmit={send}>
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name]}
          change={(value) => setValues((all) => ({ ...all, [field.name]: value }))}
        />
      ))}
      {wrong !== undefined && (
        <p class="problem" role="alert">
          {wrong}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="primary" disabled={busy}>
          {action}
        </button>
      </div>
    </form>
  );
}

/** The value as the schema wants it. A field that was left empty is left out. */
function entryOf({ name, schema }: Field, value: unknown): [string, unknown][] {
  if (value === undefined || value === '') return [];
  const type = typeOf(schema);
  if (typeof value !== 'string' || type === 'string') {
    if (typeof value === 'string' && schema['format'] === 'date-time')
      return [[name, new Date(value).toISOString()]];
    return [[name, value]];
  }
  if (type === 'number' || type === 'integer') return [[name, Number(value)]];
  if (choicesOf(schema) !== undefined) return [[name, value]];
  try {
    return [[name, JSON.parse(value)]];
  } catch {
    throw new Error(`${visibleLine(name, 60)} is not valid JSON. Write texts in double quotes.`);
  }
}

function FieldInput({
  field: { name, schema, required },
  value,
  change,
}: {
  field: Field;
  value: unknown;
  change: (value: unknown) => void;
}): JSX.Element {
  const label = visibleLine(textIn(schema, 'title') ?? name, 120);
  const description = textIn(schema, 'description');
  const hint =
    description === undefined ? undefined : <span class="hint wrap">{visibleLine(description)}</span>;
  if (typeOf(schema) === 'boolean') {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === true}
          onChange={(event) => change(event.currentTarget.checked)}
        />
        <span>
          {label}
          {hint}
        </span>
      </label>
    );
  }
  return (
    <label class="field">
      <span>
        {label}
        {required && <span class="muted"> (required)</span>}
      </span>
      {hint}
      <Control schema={schema} required={required} value={value} change={change} />
    </label>
  );
}

function Control({
  schema,
  required,
  value,
  change,
}: {
  schema: JsonSchema;
  required: boolean;
  value: unknown;
  change: (value: unknown) => void;
}): JSX.Element {
  const choices = choicesOf(schema);
  if (choices !== undefined) {
    const chosen = choices.findIndex((choice) => choice.value === value);
    return (
      <select
        required={required}
        value={chosen === -1 ? '' : String(chosen)}
        onChange={(event) => change(choices[Number(event.currentTarget.value)]?.value)}
      >
        <option value="">Choose…</option>
        {choices.map(({ title }, index) => (
          <option key={index} value={String(index)}>
            {title}
          </option>
        ))}
      </select>
    );
  }
  const type = typeOf(schema);
  const shown = typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);
  const format = textIn(schema, 'format') ?? '';
  const longText =
    type === 'string' && FORMATS[format] === undefined && numberIn(schema, 'maxLength', 400) > 200;
  if (type !== 'string' && type !== 'number' && type !== 'integer') {
    return (
      <textarea
        rows={4}
        class="mono"
        required={required}
        value={shown}
        placeholder={type === 'array' ? '["one", "two"]' : '{}'}
        onInput={(event) => change(event.currentTarget.value)}
      />
    );
  }
  if (longText) {
    return (
      <textarea
        rows={2}
        required={required}
        value={shown}
        onInput={(event) => change(event.currentTarget.value)}
      />
    );
  }
  // The types tell these apart by the roles that each can have.
  const attributes: Record<string, unknown> = {
    type: type === 'string' ? (FORMATS[format] ?? 'text') : 'number',
  };
  return (
    <input
      {...attributes}
      step={type === 'integer' ? '1' : 'any'}
      min={limit(schema, 'minimum')}
      max={limit(schema, 'maximum')}
      minLength={limit(schema, 'minLength')}
      maxLength={limit(schema, 'maxLength')}
      required={required}
      value={shown}
      onInput={(event) => change(event.currentTarget.value)}
    />
  );
}

function typeOf(schema: JsonSchema): string | undefined {
  const { type } = schema;
  if (typeof type === 'string') return type;
  return Array.isArray(type)
    ? type.find((each): each is string => typeof each === 'string' && each !== 'null')
    : undefined;
}

function choicesOf(schema: JsonSchema): { value: unknown; title: string }[] | undefined {
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled) && titled.length > 0 && titled.every((each) => isObject(each) && 'const' in each))
    return titled.map((each: JsonSchema) => ({
      value: each['const'],
      title: textIn(each, 'title') ?? titleOf(each['const']),
    }));
  if (!Array.isArray(schema['enum'])) return undefined;
  return schema['enum'].slice(0, 500).map((value: unknown) => ({ value, title: titleOf(value) }));
}

function titleOf(value: unknown): string {
  return visibleLine(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''), 120);
}

function textIn(schema: JsonSchema, name: string): string | undefined {
  const value = schema[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function numberIn(schema: JsonSchema, name: string, fallback: number): number {
  const value = schema[name];
  return typeof value === 'number' ? value : fallback;
}

function limit(schema: JsonSchema, name: string): number | undefined {
  const value = schema[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
