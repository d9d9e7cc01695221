import { A2AError } from '@holdword/protocol';
import type { PageCursor } from '@holdword/store';

/** Page tokens are opaque to clients. Their content is validated like any other input. */
export function encodePageToken(cursor: PageCursor): string {
  return Buffer.from(JSON.stringify([cursor.statusTime, cursor.tieBreak])).toString('base64url');
}

export function decodePageToken(token: string): PageCursor {
  const [statusTime, tieBreak] = parseNumbers(token);
  if (Number.isSafeInteger(statusTime) && Number.isSafeInteger(tieBreak)) {
    return { statusTime: statusTime as number, tieBreak: tieBreak as number };
  }
  throw new A2AError(
    'INVALID_PARAMS',
    'The page token is not one of this server. Start again without pageToken.',
    {
      fields: [{ field: 'pageToken', description: 'expected a nextPageToken of an earlier response' }],
    },
  );
}

function parseNumbers(token: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
