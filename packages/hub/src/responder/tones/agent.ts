import type { Tone } from './tone.ts';

/** For programs: terse and parseable. */
export const agent: Tone = {
  name: 'agent',
  incident: 'incident: {title}',
  symptom: 'symptom: {symptom}',
  past: 'past: {fact}',
  step: 'next: {step}',
  resolved: 'next: continue; the last step is recorded as helpful',
};
