/** Tones and shapes of an answer, by their names on the wire. */
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

export const PROFILES = ['full', 'detailed', 'agent', 'minimal', 'compact', 'legacy'] as const;
export type Profile = (typeof PROFILES)[number];

/** What `message/send` was asked, read from all the places where clients put it. */
export interface MessageRequest {
  readonly text: string;
  readonly mode: Mode;
  readonly profile: Profile;
  readonly responseMode: 'standard' | 'model_safe';
  readonly minimalResponse: boolean;
  readonly includeArtifacts: boolean;
  readonly includeNudge: boolean;
  readonly embedToolSchemas: 'off' | 'compact' | 'full';
  readonly warnings: readonly RequestWarning[];
}

export interface RequestWarning {
  readonly code: 'ignored_argument' | 'alias_argument' | 'invalid_argument';
  readonly argument: string;
  readonly message: string;
}
