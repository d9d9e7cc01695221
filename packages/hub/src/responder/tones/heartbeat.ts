import type { Tone } from './tone.ts';

/** For loops that ask often: one line. */
export const heartbeat: Tone = {
  name: 'heartbeat',
  step: '{step}',
  relief: 'Go on.',
};
