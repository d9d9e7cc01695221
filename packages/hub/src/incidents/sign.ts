/** A figure of an agent's heartbeat that shows trouble, and how in words. */
export interface Sign {
  readonly figure: 'errors' | 'p95' | 'queue';
  readonly text: string;
}
