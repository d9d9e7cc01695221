import type { V03TaskState } from '@holdword/protocol';

/*
 * What a model gets to see of tasks, messages and artifacts: plain JSON, short, and without URLs, headers or metadata
 * that only programs need. Names that begin with an underscore are said by the client, not by the agent.
 */

export interface TextPartForLLM {
  readonly kind: 'text';
  readonly text: string;
  /** These say where the shown pieces lie in a text of which the middle was left out. */
  readonly _total_lines?: number;
  readonly _total_characters?: number;
  readonly _start_line_range?: string;
  readonly _end_line_range?: string;
  readonly _start_character_range?: string;
  readonly _end_character_range?: string;
  readonly _tip?: string;
}

export interface DataPartForLLM {
  readonly kind: 'data';
  readonly data: unknown;
}

/** `uri` and `bytes` exclude each other. */
export interface FilePartForLLM {
  readonly kind: 'file';
  readonly name: string | null;
  readonly mimeType: string | null;
  /** The URI itself, or `{_saved_to}` when a file store has saved the file. */
  readonly uri: string | Readonly<Record<string, unknown>> | null;
  /** `{_saved_to}` when a file store has saved the file, `{_error}` otherwise: bytes are nothing to read. */
  readonly bytes: Readonly<Record<string, unknown>> | null;
}

export type PartForLLM = TextPartForLLM | DataPartForLLM | FilePartForLLM;

export interface ArtifactForLLM {
  readonly artifactId: string;
  readonly description: string | null;
  readonly name: string | null;
  readonly parts: readonly PartForLLM[];
  /** How many parts found no place in the reply. */
  readonly _omitted_parts?: number;
}

export interface MessageForLLM {
  readonly contextId: string | null;
  readonly kind: 'message';
  readonly parts: readonly PartForLLM[];
  /** How many parts found no place in the reply. */
  readonly _omitted_parts?: number;
}

export interface TaskStatusForLLM {
  readonly state: V03TaskState;
  readonly message: MessageForLLM | null;
}

export interface TaskForLLM {
  readonly id: string;
  readonly contextId: string;
  readonly kind: 'task';
  readonly status: TaskStatusForLLM;
  readonly artifacts: readonly ArtifactForLLM[];
  /** How many artifacts found no place in the reply. */
  readonly _omitted_artifacts?: number;
}
