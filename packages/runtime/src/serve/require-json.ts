import type { IncomingMessage } from 'node:http';
import { A2AError } from '@holdword/protocol';

/**
 * Rejects a body that is not declared as JSON. A web page of another origin can send such a body without a preflight
 * request, and without this check it would be executed.
 */
export function requireJson(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    const found = JSON.stringify(encoding.slice(0, 80));
    throw new A2AError(
      'CONTENT_TYPE_NOT_SUPPORTED',
      `Content-Encoding ${found} is not supported. Send the body without Content-Encoding.`,
    );
  }
  const type = request.headers['content-type'];
  if (
    type === 'application/json' ||
    (type !== undefined && /^application\/([\w.-]+\+)?json *(;|$)/i.test(type))
  ) {
    return;
  }
  throw new A2AError(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `Content-Type must be application/json, found ${type === undefined ? 'none' : JSON.stringify(type.slice(0, 80))}.`,
  );
}
