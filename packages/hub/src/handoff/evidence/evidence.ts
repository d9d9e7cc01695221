import type { TaskState } from '@holdword/protocol';

/** The event in a journal that a fact comes from. */
export interface Source {
  task_id: string;
  sequence: number;
}

/** A verbatim statement and its source. */
export interface Fact {
  text: string;
  /** The user, the agent, or the hub if it states a conclusion. */
  by: 'user' | 'agent' | 'hub';
  source: Source;
}

/** A message as it was sent, and whether any of it was understood as a report of work. */
export interface ReportedMessage extends Fact {
  understood: boolean;
}

/** A conclusion and the kind of fact it is based on. */
export interface Conclusion extends Fact {
  basis: 'noted' | 'question' | 'remaining' | 'error' | 'state' | 'request' | 'report';
}

/** One artifact in the journal. */
export interface ArtifactEvidence {
  artifact_id: string;
  name: string | null;
  /** Whether the agent sent the last chunk. */
  complete: boolean;
  parts: PartDigest[];
  /** How to get its content. A successor adds its `handoff_id` and `lease_token`. */
  fetch: { method: 'tasks/get'; params: { id: string } };
  /** The last event that changed it. */
  source: Source;
}

export interface PartDigest {
  kind: 'text' | 'raw' | 'data' | 'url';
  media_type: string | null;
  bytes: number;
  /** SHA-256 of the content in hexadecimal: of the text in UTF-8, the file's bytes, the data as canonical JSON, the URL. */
  sha256: string;
}

/**
 * The evidence for a successor in the journals of a session: of the task that is handed over, and of everything that was
 * reported in the same session. Lists are in the order of the session.
 */
export interface Evidence {
  task_id: string;
  context_id: string;
  state: TaskState;
  /** `complete` is false if retention has deleted events. */
  events: { first: number; last: number; complete: boolean };
  /** Null if the hub itself answered: then the messages are reports. */
  request: Fact | null;
  /** The newest message in the session that says something about the work. */
  last_report: Fact | null;
  /** The newest messages, in the words of the reporter: those after the last one that was understood, and that one. Newest first. */
  last_messages: ReportedMessage[];
  done: Fact[];
  /** The agent's status messages while it worked, newest last. */
  progress: Fact[];
  remaining: Fact[];
  decisions: Fact[];
  open_questions: Fact[];
  last_error: Fact | null;
  /** The report that the last error is over. */
  last_error_resolved: Fact | null;
  /** Newest first. */
  risks: Fact[];
  artifacts: ArtifactEvidence[];
  exact_next_action: Conclusion;
  risk_to_watch: Conclusion | null;
  confidence: Confidence;
  /** Number of facts left out of lists that were too long, and of older tasks that were not read. The newest are kept. */
  omitted: Record<string, number>;
}

export interface Confidence {
  level: 'high' | 'medium' | 'low';
  rests_on: string[];
}
