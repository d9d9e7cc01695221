/** A figure of an agent's heartbeat that shows trouble, and how in words. */
export interface Symptom {
  readonly metric: 'errors' | 'p95' | 'queue';
  readonly text: string;
}
