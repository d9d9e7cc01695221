import type { JsonObject } from '../model/json.ts';

/** The objects of A2A 0.3 in JSON, which name themselves by `kind`. */

export type V03TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'auth-required';

export interface V03TextPart {
  kind: 'text';
  text: string;
  metadata?: JsonObject;
}

export interface V03DataPart {
  kind: 'data';
  data: unknown;
  metadata?: JsonObject;
}

export interface V03FilePart {
  kind: 'file';
  /** Exactly one of `bytes`, in base64, and `uri`. */
  file: { bytes?: string; uri?: string; mimeType?: string; name?: string };
  metadata?: JsonObject;
}

export type V03Part = V03TextPart | V03DataPart | V03FilePart;

export interface V03Message {
  kind: 'message';
  messageId: string;
  contextId?: string;
  taskId?: string;
  role: 'user' | 'agent';
  parts: V03Part[];
  metadata?: JsonObject;
  extensions?: string[];
  referenceTaskIds?: string[];
}

export interface V03Artifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: V03Part[];
  metadata?: JsonObject;
  extensions?: string[];
}

export interface V03TaskStatus {
  state: V03TaskState;
  message?: V03Message;
  timestamp?: string;
}

export interface V03Task {
  kind: 'task';
  id: string;
  contextId: string;
  status: V03TaskStatus;
  artifacts?: V03Artifact[];
  history?: V03Message[];
  metadata?: JsonObject;
}

export interface V03StatusUpdate {
  kind: 'status-update';
  taskId: string;
  contextId: string;
  status: V03TaskStatus;
  final: boolean;
  metadata?: JsonObject;
}

export interface V03ArtifactUpdate {
  kind: 'artifact-update';
  taskId: string;
  contextId: string;
  artifact: V03Artifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

export type V03Event = V03Task | V03Message | V03StatusUpdate | V03ArtifactUpdate;
