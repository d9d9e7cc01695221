/** An abnormal heartbeat metric and its description. */
export interface Symptom {
  readonly metric: 'errors' | 'p95' | 'queue';
  readonly text: string;
}
