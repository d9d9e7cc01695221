import { integer, text } from '../columns.ts';
import type { Query } from '../reader.ts';

/** Writers that have been inactive for longer were compared long ago. */
const RECENT_MILLISECONDS = 60_000;

/** The last group of each writer that wrote to a journal. */
export function prepareListCommittedGroups(query: Query, schema: string): () => Promise<Map<string, number>> {
  const statement = `
    SELECT id::text, last_journal_group FROM ${schema}.writers
    WHERE seen_at > ${schema}.now_milliseconds() - ${RECENT_MILLISECONDS}`;
  return async () => {
    const rows = await query({ name: 'list-committed-groups', text: statement });
    return new Map(rows.map((row) => [text(row, 'id'), integer(row, 'last_journal_group')]));
  };
}
