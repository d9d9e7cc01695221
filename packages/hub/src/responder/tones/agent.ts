import type { Tone } from './tone.ts';

/** For programs: what can be read by rules, and nothing to be pleased with. */
export const agent: Tone = {
  name: 'agent',
  incident: 'incident: {title}',
  symptom: 'symptom: {symptom}',
  past: 'past: {fact}',
  step: 'next: {step}',
  relief: 'next: go on; the last step is recorded as helpful',
};
