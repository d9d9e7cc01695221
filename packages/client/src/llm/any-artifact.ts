import type { Artifact, JsonObject, Message, Part, Task } from '@parley/protocol';

/*
 * What the functions for models accept: the JSON of A2A 1.0, which the client uses inside, and the JSON of 0.3 with its
 * `kind`, which is what a session hands out and what other A2A libraries hold.
 */

export interface V03TextPart {
  kind: 'text';
  text: string;
  metadata?: JsonObject | undefined;
}

export interface V03DataPart {
  kind: 'data';
  data: unknown;
  metadata?: JsonObject | undefined;
}

export interface V03FilePart {
  kind: 'file';
  file: {
    name?: string | undefined;
    mimeType?: string | undefined;
    /** Base64. */
    bytes?: string | undefined;
    uri?: string | undefined;
  };
  metadata?: JsonObject | undefined;
}

export type V03Part = V03TextPart | V03DataPart | V03FilePart;
export type AnyPart = Part | V03Part;

export interface V03Artifact {
  artifactId: string;
  name?: string | undefined;
  description?: string | undefined;
  parts: readonly V03Part[];
}
export type AnyArtifact = Artifact | V03Artifact;

export interface V03Message {
  kind: 'message';
  messageId: string;
  role: 'user' | 'agent';
  contextId?: string | undefined;
  taskId?: string | undefined;
  parts: readonly V03Part[];
}
export type AnyMessage = Message | V03Message;

export interface V03Task {
  kind: 'task';
  id: string;
  contextId: string;
  status: { state: string; message?: V03Message | undefined; timestamp?: string | undefined };
  artifacts?: readonly V03Artifact[] | undefined;
  history?: readonly V03Message[] | undefined;
  metadata?: JsonObject | undefined;
}
export type AnyTask = Task | V03Task;
