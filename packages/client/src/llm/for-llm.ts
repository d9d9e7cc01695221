import type {
  Artifact,
  JsonObject,
  Message,
  Part,
  Task,
  V03Artifact,
  V03Message,
  V03Part,
  V03Task,
  V03TaskState,
} from '@holdword/protocol';
import { foreignName } from '../artifacts/foreign-names.ts';

/*
 * Tasks, messages and artifacts as a model sees them: plain, short JSON, without headers or metadata that only programs
 * need. Fields that start with an underscore come from the client, not from the agent.
 */

/** Stands for the message of a task, or for a plain message, where an artifact id is expected. */
export const MESSAGE_ARTIFACT = '_message';

/** The id of an agent's artifact where `_message` is the message: an agent may choose that id as well. */
export function artifactIdBesideMessage(artifactId: string): string {
  return artifactId === MESSAGE_ARTIFACT ? foreignName(artifactId) : artifactId;
}

/** A text for a model. The `_total…` and `…_range` fields are set if the middle of the text was omitted. */
export interface TextPartForLLM {
  readonly kind: 'text';
  readonly text: string;
  /** Number of lines of the whole text. */
  readonly _total_lines?: number;
  /** Number of characters of the whole text. */
  readonly _total_characters?: number;
  /** Lines of the first shown piece, such as `1-20`. */
  readonly _start_line_range?: string;
  /** Lines of the last shown piece. */
  readonly _end_line_range?: string;
  /** Characters of the first shown piece, such as `0-25000`. */
  readonly _start_character_range?: string;
  /** Characters of the last shown piece. */
  readonly _end_character_range?: string;
  /** How to see the rest. */
  readonly _tip?: string;
  /** The file that holds the whole text, if it is too large for memory. */
  readonly _saved_to?: readonly string[];
}

/** Data for a model: the value itself, or `{data}` with a summary if it was minimized. */
export interface DataPartForLLM {
  readonly kind: 'data';
  readonly data: unknown;
}

/** A file for a model. At most one of `uri` and `bytes` is set. */
export interface FilePartForLLM {
  readonly kind: 'file';
  readonly name: string | null;
  readonly mimeType: string | null;
  /** The URI, `{_saved_to}` if a file store saved the file, or `{_uri, _error}` if it could not. */
  readonly uri: string | Readonly<Record<string, unknown>> | null;
  /** `{_saved_to}` if a file store saved the file, otherwise `{_error}`; never the bytes themselves. */
  readonly bytes: Readonly<Record<string, unknown>> | null;
}

/** A part for a model. */
export type PartForLLM = TextPartForLLM | DataPartForLLM | FilePartForLLM;

/** An artifact for a model. */
export interface ArtifactForLLM {
  readonly artifactId: string;
  readonly description: string | null;
  readonly name: string | null;
  readonly parts: readonly PartForLLM[];
  /** Number of parts omitted to fit the budget. */
  readonly _omitted_parts?: number;
}

/** A message for a model. */
export interface MessageForLLM {
  readonly contextId: string | null;
  readonly kind: 'message';
  readonly parts: readonly PartForLLM[];
  /** Number of parts omitted to fit the budget. */
  readonly _omitted_parts?: number;
}

/** The status of a task for a model. */
export interface TaskStatusForLLM {
  readonly state: V03TaskState;
  readonly message: MessageForLLM | null;
  /** The artifact that has the text of the message, which is then null. */
  readonly _message_in_artifact?: string;
}

/** A task for a model. */
export interface TaskForLLM {
  readonly id: string;
  readonly contextId: string;
  readonly kind: 'task';
  readonly status: TaskStatusForLLM;
  readonly artifacts: readonly ArtifactForLLM[];
  /** Number of artifacts omitted to fit the budget. */
  readonly _omitted_artifacts?: number;
}

/**
 * Replaces the status message of a task with its plain text, if it consists only of text. This is the form that
 * `A2ATools` returns by default; it is never longer than the task.
 *
 * @example
 * ```ts
 * function forModel(task: TaskForLLM): Record<string, unknown> {
 *   return withTextStatus(task);
 * }
 * ```
 */
export function withTextStatus(task: TaskForLLM): JsonObject {
  const { message } = task.status;
  if (message === null || '_omitted_parts' in message || message.parts.length !== 1) return { ...task };
  const [part] = message.parts;
  // A text that was cut stays a message, with its ranges and the tip.
  return part?.kind === 'text' && !('_total_characters' in part)
    ? { ...task, status: { ...task.status, message: part.text } }
    : { ...task };
}

/*
 * What the functions for models accept: JSON of A2A 1.0, which the client uses internally, and JSON of 0.3 with its `kind`,
 * which sessions and other A2A libraries return.
 */

/** A part of A2A 1.0 or 0.3. */
export type AnyPart = Part | V03Part;
/** An artifact of A2A 1.0 or 0.3. */
export type AnyArtifact = Artifact | V03Artifact;
/** A message of A2A 1.0 or 0.3. */
export type AnyMessage = Message | V03Message;
/** A task of A2A 1.0 or 0.3. */
export type AnyTask = Task | V03Task;

/** `TASK_STATE_INPUT_REQUIRED` is `input-required`. */
export function stateForLlm(state: AnyTask['status']['state']): V03TaskState {
  return state.replace('TASK_STATE_', '').toLowerCase().replaceAll('_', '-') as V03TaskState;
}
