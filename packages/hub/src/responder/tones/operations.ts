import type { Tone } from './tone.ts';

/** For people on call: the step first, then the reason. */
export const operations: Tone = {
  name: 'operations',
  step: 'DO: {step}',
  reason: 'WHY: {reason}',
  incident: 'INCIDENT: {title}',
  symptom: 'SYMPTOM: {symptom}',
  past: 'HISTORY: {fact}',
  closing: 'THEN: report the result in this session.',
  resolved: 'RESOLVED: the step is recorded as helpful.',
};
