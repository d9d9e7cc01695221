import type { Tone } from './tone.ts';

/** For whoever is on call: the step first, then what it rests on. */
export const operations: Tone = {
  name: 'operations',
  step: 'DO: {step}',
  reason: 'WHY: {reason}',
  incident: 'INCIDENT: {title}',
  symptom: 'SYMPTOM: {symptom}',
  past: 'HISTORY: {fact}',
  closing: 'THEN: report the result in this session.',
  relief: 'RESOLVED: the step is recorded as helpful.',
};
