import { questionDetails, READERS } from '@holdword/client/internal';
import { type Part, textOfParts } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { stateOf, withoutControls } from '../calling/task-text.ts';
import type { Keyboard } from './keyboard.ts';
import type { LiveScreen } from './live-screen.ts';
import { MarkdownRenderer } from './markdown.ts';

/** What the user decided: an answer, or to leave the question open. */
export type Answer = { readonly parts: readonly Part[] } | 'left';

interface Asking {
  readonly screen: LiveScreen;
  readonly keyboard: Keyboard;
}

const MOST_FIELDS = 30;

/** Asks the user what a task asks: one of several choices, the fields of a schema, a text, or to log in at a link. */
export async function answerQuestion(task: unknown, asking: Asking): Promise<Answer> {
  const { screen } = asking;
  const { message } = READERS.task(task).status;
  const details = questionDetails(message);
  const text = withoutControls(textOfParts(message?.parts ?? [])).trim();
  const markdown = new MarkdownRenderer(() => screen.columns, screen.style);
  screen.print(markdown.write(`${text === '' ? 'The agent asks for an answer.' : text}\n`) + markdown.end());
  if (details.url !== undefined) screen.print(`${screen.style('underline', withoutControls(details.url))}\n`);
  if (stateOf(task) === 'TASK_STATE_AUTH_REQUIRED') return confirmLogin(asking);
  if (details.choices !== undefined) return choose(details.choices, asking);
  const fields = fieldsOf(details.schema);
  if (fields !== undefined) return fillIn(fields, asking);
  return ask(asking, '> ');
}

/** Secrets do not go through here: the user logs in where the agent says, and tells it. */
async function confirmLogin(asking: Asking): Promise<Answer> {
  asking.screen.print(
    asking.screen.style(
      'dim',
      'Log in there, then press Enter, or write what the agent asks for. Never a password.\n',
    ),
  );
  return ask(asking, '> ', 'I have authenticated. Please continue.');
}

async function ask({ keyboard }: Asking, prompt: string, fallback?: string): Promise<Answer> {
  for (;;) {
    const typed = await keyboard.ask(prompt);
    if ('key' in typed) return 'left';
    const text = typed.line.trim() === '' ? fallback : typed.line;
    if (text !== undefined) return { parts: [{ text }] };
  }
}

async function choose(
  choices: readonly { value: string; label?: string }[],
  { screen, keyboard }: Asking,
): Promise<Answer> {
  for (const [index, { value, label = value }] of choices.entries()) {
    screen.print(`  ${screen.style('bold', String(index + 1))} ${withoutControls(label)}\n`);
  }
  for (;;) {
    const typed = await keyboard.ask(`1-${choices.length}> `);
    if ('key' in typed) return 'left';
    const text = typed.line.trim();
    const chosen =
      choices.find(({ value, label }) => value === text || label === text) ??
      (/^\d{1,3}$/.test(text) ? choices[Number(text) - 1] : undefined);
    if (chosen !== undefined) return { parts: [{ text: chosen.value }] };
    if (text !== '') screen.print(`Choose a number from 1 to ${choices.length}.\n`);
  }
}

interface Field {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
  readonly choices: readonly string[] | undefined;
  readonly minimum: number;
  readonly maximum: number;
}

/** The fields of a schema that a person can fill in one after another; undefined if it is another one. */
function fieldsOf(schema: Readonly<Record<string, unknown>> | undefined): Field[] | undefined {
  const properties = Object.entries(asObject(schema?.['properties']));
  if (properties.length === 0 || properties.length > MOST_FIELDS) return undefined;
  const required = Array.isArray(schema?.['required']) ? schema['required'] : [];
  const fields = properties.map(([name, value]): Field => {
    const { type, title, format, writeOnly, enum: choices, minimum, maximum } = asObject(value);
    return {
      name,
      title: withoutControls(typeof title === 'string' ? title : name),
      type: typeof type === 'string' ? type : 'string',
      isRequired: required.includes(name),
      isSecret: format === 'password' || writeOnly === true,
      choices: Array.isArray(choices) ? choices.map(String) : undefined,
      minimum: typeof minimum === 'number' ? minimum : -Infinity,
      maximum: typeof maximum === 'number' ? maximum : Infinity,
    };
  });
  return fields.every(({ type }) => ['string', 'integer', 'number', 'boolean'].includes(type))
    ? fields
    : undefined;
}

async function fillIn(fields: readonly Field[], { screen, keyboard }: Asking): Promise<Answer> {
  const data: Record<string, unknown> = {};
  for (const field of fields) {
    for (;;) {
      const typed = await keyboard.ask(`${field.title}${hintOf(field)}: `, { isHidden: field.isSecret });
      if ('key' in typed) return 'left';
      if (typed.line.trim() === '' && !field.isRequired) break;
      const read = readField(field, typed.line.trim());
      if ('value' in read) {
        Object.defineProperty(data, field.name, { value: read.value, enumerable: true });
        break;
      }
      screen.print(`${read.problem}\n`);
    }
  }
  return { parts: [{ data }] };
}

function hintOf({ type, choices, isRequired, isSecret }: Field): string {
  const hints = [
    ...(choices === undefined ? [] : [choices.join(', ')]),
    ...(type === 'boolean' ? ['y/n'] : []),
    ...(isSecret ? ['not shown'] : []),
    ...(isRequired ? [] : ['optional']),
  ];
  return hints.length === 0 ? '' : withoutControls(` (${hints.join('; ')})`);
}

function readField(
  { type, choices, minimum, maximum }: Field,
  text: string,
): { value: unknown } | { problem: string } {
  if (text === '') return { problem: 'This one is needed.' };
  if (choices !== undefined && !choices.includes(text))
    return { problem: `Choose one of: ${withoutControls(choices.join(', '))}.` };
  if (type === 'boolean') {
    if (/^(y|yes|true)$/i.test(text)) return { value: true };
    return /^(n|no|false)$/i.test(text) ? { value: false } : { problem: 'Answer y or n.' };
  }
  if (type === 'string') return { value: text };
  const number = Number(text);
  if (!Number.isFinite(number) || (type === 'integer' && !Number.isInteger(number))) {
    return { problem: type === 'integer' ? 'Expected a whole number.' : 'Expected a number.' };
  }
  if (number < minimum || number > maximum)
    return { problem: `Expected a number from ${minimum} to ${maximum}.` };
  return { value: number };
}
