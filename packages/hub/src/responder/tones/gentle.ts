import type { Tone } from './tone.ts';

/** The default tone: warm and calm. */
export const gentle: Tone = {
  name: 'gentle',
  opening: 'Thank you for telling me where things stand. There is room to take one thing at a time.',
  incident: 'This sounds like {title}.',
  symptom: 'What tells me so: {symptom}.',
  past: 'I remember: {fact}',
  step: 'One small step, and only this one for now: {step}',
  reason: 'Why this one: {reason}',
  closing: 'When you have done it, come back and tell me what you saw. It does not have to be perfect.',
  resolved: 'I am glad to hear that. Nothing more is needed here; continue with what you were doing.',
};
