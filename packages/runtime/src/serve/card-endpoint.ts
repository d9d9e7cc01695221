import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AgentCard } from '@holdword/protocol';
import { toLegacyCard, toUnversionedCard, VERSION_PARAMETER } from '@holdword/protocol/internal';
import { requestOrigin } from './addresses.ts';
import { PUBLIC_HEADERS } from './cors.ts';
import { JSON_TYPE } from './respond.ts';

/** A card as it is sent, with the headers that caches need. */
export interface CardDocument {
  readonly body: string;
  readonly etag: string;
  readonly lastModified: string;
  readonly contentType: string;
}

export function cardDocument(card: unknown, modifiedAt: Date, contentType = JSON_TYPE): CardDocument {
  const body = JSON.stringify(card);
  return {
    body,
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    lastModified: modifiedAt.toUTCString(),
    contentType,
  };
}

/** Sends a card, a key set or a catalog: public, cacheable for a minute, then revalidated by its ETag. */
export function sendDocument(
  document: CardDocument,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const validators = {
    ETag: document.etag,
    'Last-Modified': document.lastModified,
    'Cache-Control': 'public, max-age=60',
    // Caches must not hand the card of one version to clients of the other.
    Vary: VERSION_PARAMETER,
    ...PUBLIC_HEADERS,
  };
  if (isFresh(document, request)) {
    response.writeHead(304, validators).end();
    return;
  }
  response.writeHead(200, {
    ...validators,
    'Content-Type': document.contentType,
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

/** Chooses the document for a request. */
export type CardChoice = (request: IncomingMessage, query: string) => CardDocument;

interface CardSource {
  readonly card: AgentCard;
  readonly cardFor?: ((origin: string) => AgentCard) | undefined;
}

/**
 * The cards to send: the one for the version that a request names, and that of 0.3. No client of 0.3 names its version, so
 * a request without one gets a card that clients of both versions understand.
 */
export function cardDocuments(
  { card, cardFor }: CardSource,
  modifiedAt: Date,
): { readonly requested: CardChoice; readonly legacy: CardChoice } {
  const documentsOf = (each: AgentCard) => ({
    current: cardDocument(each, modifiedAt),
    legacy: cardDocument(toLegacyCard(each), modifiedAt),
    shared: cardDocument(toUnversionedCard(each), modifiedAt),
  });
  const known = documentsOf(card);
  // They are the same for all, unless the server does not know its public address.
  const documents = (request: IncomingMessage) =>
    cardFor === undefined ? known : documentsOf(cardFor(requestOrigin(request)));
  return {
    requested: (request, query) => {
      const version = request.headers['a2a-version'] ?? new URLSearchParams(query).get(VERSION_PARAMETER);
      const { current, legacy, shared } = documents(request);
      if (version === null || version === '') return shared;
      return String(version).startsWith('0.3') ? legacy : current;
    },
    legacy: (request) => documents(request).legacy,
  };
}
