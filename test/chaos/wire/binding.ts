import type { JsonObject } from '@holdword/protocol';
import type { HttpRequest } from '../../support/drivers/http-call.ts';

export type Operation =
  'SendMessage' | 'SendStreamingMessage' | 'GetTask' | 'ListTasks' | 'CancelTask' | 'SubscribeToTask';

/**
 * How a binding of A2A 1.0 puts a call into HTTP and the answer's JSON into its bytes. Answers stay text: what was
 * acknowledged is compared byte for byte.
 */
export interface Binding {
  readonly name: string;
  request(address: string, operation: Operation, params: JsonObject): HttpRequest;
  /** The A2A JSON inside an answer or a frame. Throws a WireError when it is a refusal. */
  unwrap(text: string): string;
}
