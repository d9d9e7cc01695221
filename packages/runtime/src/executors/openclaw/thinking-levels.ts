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

/** How long OpenClaw lets its model think. */
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];
