/** Values of the `mode` parameter, which selects the tone of an answer. */
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

/** Values of the `profile` parameter. */
export const PROFILES = ['full', 'detailed', 'agent', 'minimal', 'compact', 'legacy'] as const;

/** The profile that an answer is sent in; some values of the parameter are aliases. */
export type ResponseProfile = 'full' | 'agent' | 'minimal' | 'legacy';

/** A decoded `message/send` request, wherever the client put its parameters. */
export interface MessageRequest {
  readonly text: string;
  readonly mode: Mode;
  readonly profile: ResponseProfile;
  readonly responseMode: 'standard' | 'model_safe';
  readonly includeArtifacts: boolean;
  readonly includeNudge: boolean;
  readonly embedToolSchemas: 'off' | 'compact' | 'full';
  /** The task that the message continues. */
  readonly taskId?: string;
  readonly messageId?: string;
  /** Whether to wait for the agent's answer. */
  readonly blocking: boolean;
  readonly warnings: readonly RequestWarning[];
}

export interface RequestWarning {
  readonly code: 'ignored_argument' | 'alias_argument' | 'invalid_argument';
  readonly argument: string;
  readonly message: string;
}
