import { describe, expect, it } from 'vitest';
import { HttpResponseReader } from './http-response-reader.ts';

function collect(): { reader: HttpResponseReader; responses: { status: number; body: string }[] } {
  const responses: { status: number; body: string }[] = [];
  let body = '';
  const reader = new HttpResponseReader({
    body: (part) => {
      body += part.toString();
    },
    end: (status) => {
      responses.push({ status, body });
      body = '';
    },
  });
  return { reader, responses };
}

const FIXED = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello';
const CHUNKED =
  'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\n\r\n';
const EMPTY = 'HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n';

describe('HttpResponseReader', () => {
  it('reads responses that arrive at once', () => {
    const { reader, responses } = collect();
    reader.push(Buffer.from(FIXED + CHUNKED + EMPTY + FIXED));
    expect(responses).toEqual([
      { status: 200, body: 'hello' },
      { status: 201, body: 'hello' },
      { status: 204, body: '' },
      { status: 200, body: 'hello' },
    ]);
  });

  it('reads responses that arrive byte by byte', () => {
    const { reader, responses } = collect();
    for (const byte of Buffer.from(CHUNKED + FIXED)) reader.push(Buffer.of(byte));
    expect(responses).toEqual([
      { status: 201, body: 'hello' },
      { status: 200, body: 'hello' },
    ]);
  });

  it('passes on a part of a chunk before the rest arrives', () => {
    const parts: string[] = [];
    const reader = new HttpResponseReader({ body: (part) => parts.push(part.toString()), end: () => {} });
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\n01234'));
    expect(parts).toEqual(['01234']);
  });

  it('rejects what it cannot parse', () => {
    expect(() => collect().reader.push(Buffer.from('SSH-2.0\r\n\r\n'))).toThrow(
      'Expected an HTTP/1.1 response',
    );
    expect(() => collect().reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))).toThrow(
      'a length or in chunks',
    );
    const broken = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n';
    expect(() => collect().reader.push(Buffer.from(broken))).toThrow('the size of a chunk');
  });
});
