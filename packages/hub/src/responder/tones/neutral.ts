import type { Tone } from './tone.ts';

/** Plain, neutral statements. */
export const neutral: Tone = {
  name: 'neutral',
  incident: 'Incident: {title}.',
  symptom: 'Symptom: {symptom}.',
  past: 'Earlier: {fact}',
  step: 'Next step: {step}',
  reason: 'Reason: {reason}',
  closing: 'Report the result in the same session.',
  resolved: 'The step is recorded as helpful. No further step is needed.',
};
