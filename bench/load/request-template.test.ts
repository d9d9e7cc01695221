import { describe, expect, it } from 'vitest';
import { RequestTemplate } from './request-template.ts';

const url = new URL('http://127.0.0.1:4310/a2a/jsonrpc');

describe('RequestTemplate', () => {
  it('puts a new ID into every position of each request', () => {
    const template = new RequestTemplate(url, {
      method: 'SendMessage',
      params: { message: { messageId: RequestTemplate.id, parts: [{ text: 'echo grüße' }] } },
      headers: { 'A2A-Extensions': 'urn:x' },
    });
    const first = template.next();
    const second = template.next();
    expect(first.id).not.toBe(second.id);

    const [head, body] = first.bytes.toString().split('\r\n\r\n');
    expect(head).toContain('POST /a2a/jsonrpc HTTP/1.1\r\nHost: 127.0.0.1:4310\r\n');
    expect(head).toContain('A2A-Extensions: urn:x');
    expect(head).toContain(`Content-Length: ${Buffer.byteLength(body ?? '')}`);
    expect(JSON.parse(body ?? '')).toEqual({
      jsonrpc: '2.0',
      id: first.id,
      method: 'SendMessage',
      params: { message: { messageId: first.id, parts: [{ text: 'echo grüße' }] } },
    });
    expect(second.bytes.toString()).toBe(first.bytes.toString().replaceAll(first.id, second.id));
  });
});
