import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A card as it is sent, with the headers that caches need. */
export interface CardDocument {
  readonly body: string;
  readonly etag: string;
  readonly lastModified: string;
}

export function cardDocument(card: unknown, modifiedAt: Date): CardDocument {
  const body = JSON.stringify(card);
  return {
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    lastModified: modifiedAt.toUTCString(),
  };
}

/** Serves a card: public, cacheable for a minute, then revalidated by its ETag. */
export function handleCard(document: CardDocument, request: IncomingMessage, response: ServerResponse): void {
  const validators = {
    ETag: document.etag,
    'Last-Modified': document.lastModified,
    'Cache-Control': 'public, max-age=60',
  };
  if (isFresh(document, request)) {
    response.writeHead(304, validators).end();
    return;
  }
  response.writeHead(200, {
    ...validators,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(document.body),
  });
  response.end(document.body);
}

/** Whether the client's copy is current. If there is an ETag, it alone decides (RFC 9110, 13.2.2). */
function isFresh(document: CardDocument, request: IncomingMessage): boolean {
  const tags = request.headers['if-none-match'];
  if (tags !== undefined) {
    return tags
      .split(',')
      .some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === document.etag);
  }
  const since = request.headers['if-modified-since'];
  return since !== undefined && Date.parse(document.lastModified) <= Date.parse(since);
}
