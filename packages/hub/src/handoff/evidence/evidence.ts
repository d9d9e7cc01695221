import type { TaskState } from '@holdword/protocol';

/** Where a fact stands in a journal, so that anybody can look it up. */
export interface Source {
  task_id: string;
  sequence: number;
}

/** Something that was said, word for word, and where. */
export interface Fact {
  text: string;
  /** The one who asked, the agent that worked, or the hub, which states what it read itself. */
  by: 'user' | 'agent' | 'hub';
  source: Source;
}

/** A conclusion, and which kind of fact it rests on. */
export interface Conclusion extends Fact {
  basis: 'noted' | 'question' | 'remaining' | 'error' | 'state' | 'request';
}

/** One artifact as the journal holds it. */
export interface ArtifactEvidence {
  artifact_id: string;
  name: string | null;
  /** The agent said that nothing more comes. */
  complete: boolean;
  parts: PartDigest[];
  /** The event that changed it last. */
  source: Source;
}

export interface PartDigest {
  kind: 'text' | 'raw' | 'data' | 'url';
  media_type: string | null;
  bytes: number;
  /** SHA-256 of the content in hexadecimal: of the text in UTF-8, the file's bytes, the data as canonical JSON, the URL. */
  sha256: string;
}

/** What agents note for whoever comes after them. */
export const NOTE_KINDS = ['done', 'remaining', 'decisions', 'questions', 'next', 'risk', 'error'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** What the journal of one task holds for a successor. */
export interface Evidence {
  task_id: string;
  context_id: string;
  state: TaskState;
  /** `complete` is false where retention has removed events. */
  events: { first: number; last: number; complete: boolean };
  request: Fact | null;
  done: Fact[];
  /** What the agent said while it worked, the newest last. */
  progress: Fact[];
  remaining: Fact[];
  decisions: Fact[];
  open_questions: Fact[];
  last_error: Fact | null;
  artifacts: ArtifactEvidence[];
  exact_next_action: Conclusion;
  risk_to_watch: Conclusion | null;
  confidence: Confidence;
  /** How many facts of a list were left out because it had grown too long; the newest are kept. */
  omitted: Record<string, number>;
}

export interface Confidence {
  level: 'high' | 'medium';
  rests_on: string[];
}
