/** Tones of an answer, by their names on the wire. */
export const MODES = [
  'auto',
  'neutral',
  'strict_neutral',
  'ops',
  'strict_ops',
  'heartbeat',
  'agent',
  'compact',
] as const;
export type Mode = (typeof MODES)[number];

/** Names of shapes that can be asked for. */
export const PROFILES = ['full', 'detailed', 'agent', 'minimal', 'compact', 'legacy'] as const;

/** The shapes of an answer. */
export type ResponseProfile = 'full' | 'agent' | 'minimal' | 'legacy';

/** What `message/send` was asked, read from all the places where clients put it. */
export interface MessageRequest {
  readonly text: string;
  readonly mode: Mode;
  readonly profile: ResponseProfile;
  readonly responseMode: 'standard' | 'model_safe';
  readonly includeArtifacts: boolean;
  readonly includeNudge: boolean;
  readonly embedToolSchemas: 'off' | 'compact' | 'full';
  /** The task that the message goes on with. */
  readonly taskId?: string;
  readonly messageId?: string;
  /** Whether to wait until the agent has answered. */
  readonly waits: boolean;
  readonly warnings: readonly RequestWarning[];
}

export interface RequestWarning {
  readonly code: 'ignored_argument' | 'alias_argument' | 'invalid_argument';
  readonly argument: string;
  readonly message: string;
}
