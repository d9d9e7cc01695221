import type { JsonObject } from '../basics/json.ts';

/** The state of a task in A2A 0.3. */
export type V03TaskState =
  | 'submitted'
  | 'working'
  | 'input-required'
  | 'completed'
  | 'canceled'
  | 'failed'
  | 'rejected'
  | 'auth-required';

/** A text part in A2A 0.3. */
export interface V03TextPart {
  kind: 'text';
  text: string;
  metadata?: JsonObject;
}

/** A data part in A2A 0.3. */
export interface V03DataPart {
  kind: 'data';
  data: unknown;
  metadata?: JsonObject;
}

/** A file part in A2A 0.3. */
export interface V03FilePart {
  kind: 'file';
  /** Exactly one of `bytes`, in base64, and `uri`. */
  file: { bytes?: string; uri?: string; mimeType?: string; name?: string };
  metadata?: JsonObject;
}

/** A part in A2A 0.3, identified by its `kind`. */
export type V03Part = V03TextPart | V03DataPart | V03FilePart;

/** A message in A2A 0.3. */
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

/** An artifact in A2A 0.3. */
export interface V03Artifact {
  artifactId: string;
  name?: string;
  description?: string;
  parts: V03Part[];
  metadata?: JsonObject;
  extensions?: string[];
}

/** The status of a task in A2A 0.3. */
export interface V03TaskStatus {
  state: V03TaskState;
  message?: V03Message;
  timestamp?: string;
}

/** A task in A2A 0.3. */
export interface V03Task {
  kind: 'task';
  id: string;
  contextId: string;
  status: V03TaskStatus;
  artifacts?: V03Artifact[];
  history?: V03Message[];
  metadata?: JsonObject;
}

/** A status update in A2A 0.3. */
export interface V03StatusUpdate {
  kind: 'status-update';
  taskId: string;
  contextId: string;
  status: V03TaskStatus;
  final: boolean;
  metadata?: JsonObject;
}

/** An artifact update in A2A 0.3. */
export interface V03ArtifactUpdate {
  kind: 'artifact-update';
  taskId: string;
  contextId: string;
  artifact: V03Artifact;
  append?: boolean;
  lastChunk?: boolean;
  metadata?: JsonObject;
}

/** An event of a stream in A2A 0.3, identified by its `kind`. */
export type V03Event = V03Task | V03Message | V03StatusUpdate | V03ArtifactUpdate;
