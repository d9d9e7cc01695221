import { READERS } from '@holdword/client/internal';
import type { Artifact, Message, Part, Task } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';

/*
 * What people read: one `Label: value` per line, and blocks of several lines that a blank line ends. The same on a terminal and in
 * a pipe, so that scripts which read it keep working.
 */

/** A line. A value of several lines becomes a block. */
export function field(label: string, value: string): string {
  const clean = withoutControls(value).trimEnd();
  return clean.includes('\n') ? block(label, clean) : `${label}: ${clean}\n`;
}

/** Several lines, indented, so that a blank line among them does not end the block. */
export function block(label: string, content: string): string {
  const lines = withoutControls(content).split('\n');
  return `${label}:\n${lines.map((line) => `  ${line}\n`).join('')}\n`;
}

/** An agent's text must not move the cursor, change colours or hide what it says. */
export function withoutControls(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '');
}

/** The same in a report whose lines mean something: an agent's text must not add lines to it. */
export function onOneLine(text: string): string {
  return withoutControls(text).replaceAll(/[\n\t\u2028\u2029]+/g, ' ');
}

/** The state as the agent sent it, also one that is unknown here. */
export function stateOf(task: unknown): string {
  const { state } = asObject(asObject(task)['status']);
  return typeof state === 'string' ? state : 'TASK_STATE_UNSPECIFIED';
}

/** A task: ids and state first, then what the agent said and made. */
export function taskText(json: unknown, { isVerbose }: { isVerbose: boolean }): string {
  const task = READERS.task(json);
  const { message, timestamp } = task.status;
  return [
    idLines(task, stateOf(json)),
    isVerbose && timestamp !== undefined ? field('Since', timestamp) : '',
    message === undefined || (!isVerbose && isInArtifacts(message, task))
      ? ''
      : messageText('Message', message),
    ...(task.artifacts ?? []).map((artifact) => artifactText(artifact, isVerbose)),
    ...(isVerbose ? (task.history ?? []).map((each) => messageText(roleOf(each), each)) : []),
    isVerbose && task.metadata !== undefined ? block('Metadata', pretty(task.metadata)) : '',
  ].join('');
}

/** Many agents say their answer twice: as a message and as an artifact. */
function isInArtifacts(message: Message, { artifacts = [] }: Task): boolean {
  const said = textOf(message.parts);
  return said !== '' && artifacts.some(({ parts }) => textOf(parts) === said);
}

/** The text of parts that are nothing but text; otherwise empty. */
function textOf(parts: readonly Part[]): string {
  return parts.every(({ text }) => text !== undefined) ? parts.map(({ text }) => text).join('') : '';
}

export function idLines({ id, contextId }: Pick<Task, 'id' | 'contextId'>, state: string): string {
  return [
    field('Task ID', id),
    contextId === '' ? '' : field('Context ID', contextId),
    field('State', state),
  ].join('');
}

/** A message that is the whole answer. */
export function answerText(json: unknown): string {
  const message = READERS.sendResponse({ message: json });
  if (!('message' in message)) return '';
  const { contextId } = message.message;
  return `${contextId === undefined ? '' : field('Context ID', contextId)}${messageText('Message', message.message)}`;
}

export function messageText(label: string, { parts }: Message): string {
  return parts.map((part) => partText(label, part)).join('');
}

function roleOf({ role }: Message): string {
  return role === 'ROLE_USER' ? 'User' : 'Agent';
}

function artifactText({ artifactId, name, description, parts }: Artifact, isVerbose: boolean): string {
  const title = name ?? artifactId;
  return [
    field('Artifact', isVerbose && name !== undefined ? `${name} (${artifactId})` : title),
    isVerbose && description !== undefined ? field('Description', description) : '',
    ...parts.map((part) => partText('Text', part)),
  ].join('');
}

/** No part is left out: what cannot be read is named with its size. */
export function partText(label: string, part: Part): string {
  const { text, data, url, raw, filename, mediaType } = part;
  if (text !== undefined) return field(label, text);
  if (data !== undefined) return block('Data', pretty(data));
  const kind = [filename, mediaType].filter((each) => each !== undefined && each !== '').join(', ');
  if (url !== undefined) return field('File', [kind, url].filter((each) => each !== '').join(', '));
  const bytes = Buffer.byteLength(raw ?? '', 'base64');
  return field('File', [kind, `${bytes} bytes`].filter((each) => each !== '').join(', '));
}

function pretty(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** An event of a stream. */
export function eventText(json: unknown, { isVerbose }: { isVerbose: boolean }): string {
  const event = READERS.events(json);
  if ('task' in event) return taskText(asObject(json)['task'], { isVerbose });
  if ('message' in event) return answerText(asObject(json)['message']);
  if ('artifactUpdate' in event) return artifactText(event.artifactUpdate.artifact, isVerbose);
  const { taskId, contextId, status } = event.statusUpdate;
  const ids = idLines({ id: taskId, contextId }, stateOf(asObject(json)['statusUpdate']));
  return `${ids}${status.message === undefined ? '' : messageText('Message', status.message)}`;
}

/** A word for a shell, quoted where it needs to be. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
