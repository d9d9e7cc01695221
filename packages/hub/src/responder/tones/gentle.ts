import type { Tone } from './tone.ts';

/** The usual tone: warm and slow. */
export const gentle: Tone = {
  name: 'gentle',
  opening: 'Thank you for saying how it stands. There is room to take one thing at a time.',
  incident: 'What I hear is {title}.',
  symptom: 'I take that from this: {symptom}.',
  past: 'I remember: {fact}',
  step: 'One small step, and only this one for now: {step}',
  reason: 'Why this one: {reason}',
  closing: 'When you have done it, come back and say what you saw. Nothing has to be perfect for that.',
  relief: 'I am glad to read that. Nothing more is needed for this; go on with what you were doing.',
};
