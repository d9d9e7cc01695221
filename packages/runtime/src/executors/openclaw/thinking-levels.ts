/** The levels that `openclaw agent --thinking` accepts; older versions accept the first six. */
export const THINKING_LEVELS = [
  'off',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'adaptive',
  'max',
  'ultra',
] as const;

export type ThinkingLevel = (typeof THINKING_LEVELS)[number];
