import type { Tone } from './tone.ts';

/** For polling loops: one line. */
export const heartbeat: Tone = {
  name: 'heartbeat',
  step: '{step}',
  resolved: 'Continue.',
};
