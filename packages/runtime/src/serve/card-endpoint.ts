import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentCard } from '@holdword/protocol';
import { toLegacyCard, toSharedCard, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { requestOrigin } from './addresses.ts';

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

/** Sends a card or a key set: public, cacheable for a minute, then revalidated by its ETag. */
export function sendDocument(
  document: CardDocument,
  request: IncomingMessage,
  response: ServerResponse,
): void {
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

/** The card in the form of each version. */
export interface CardDocuments {
  readonly current: CardDocument;
  readonly legacy: CardDocument;
}

interface CardSource {
  readonly card: AgentCard;
  readonly cardFor?: ((origin: string) => AgentCard) | undefined;
  readonly sharedCard?: boolean | undefined;
}

/** The cards to send for a request. They are the same for all, unless the server does not know its public address. */
export function cardDocuments(
  { card, cardFor, sharedCard = false }: CardSource,
  modifiedAt: Date,
): (request: IncomingMessage) => CardDocuments {
  const documentsOf = (each: AgentCard): CardDocuments => ({
    current: cardDocument(sharedCard ? toSharedCard(each) : each, modifiedAt),
    legacy: cardDocument(toLegacyCard(each), modifiedAt),
  });
  const known = documentsOf(card);
  return (request) => (cardFor === undefined ? known : documentsOf(cardFor(requestOrigin(request))));
}

/** 0.3 clients read their card at the same path. Only those that send their version can be recognized. */
export function asksForLegacyCard(request: IncomingMessage, query: string): boolean {
  const asked = request.headers['a2a-version'] ?? new URLSearchParams(query).get(VERSION_PARAMETER);
  return String(asked).startsWith('0.3');
}
