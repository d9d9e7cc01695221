import type { JsonObject } from '@holdword/protocol';
import type { HttpRequest } from '../../support/drivers/http-client.ts';

export type Operation =
  'SendMessage' | 'SendStreamingMessage' | 'GetTask' | 'ListTasks' | 'CancelTask' | 'SubscribeToTask';

/**
 * How a binding of A2A 1.0 encodes a request in HTTP and its JSON in the response. Responses stay text, because what was
 * acknowledged is compared byte for byte.
 */
export interface Binding {
  readonly name: string;
  request(address: string, operation: Operation, params: JsonObject): HttpRequest;
  /** The A2A JSON in a response or a frame. Throws a WireError if it is an error. */
  unwrap(text: string): string;
}
