import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { BenchAgent } from './bench-agents.ts';

const DIGITS = 12;

/**
 * Copies all records of one agent under new names, directly in the database of a stopped hub: registering 100,000 agents would
 * take hours, copying takes seconds and does not depend on the format of the records.
 */
export function multiplyAgents(folder: string, model: BenchAgent, copies: number): void {
  const database = new DatabaseSync(join(folder, 'holdword.db'));
  try {
    database.exec('BEGIN');
    database.exec('CREATE TEMP TABLE copied (namespace TEXT, key TEXT, value TEXT)');
    const found = database
      .prepare(
        'INSERT INTO copied SELECT * FROM records WHERE instr(key, :agent) > 0 OR instr(key, :session) > 0',
      )
      .run({ agent: model.agentId, session: model.sessionId });
    if (found.changes === 0) throw new Error(`The hub has no records of ${model.agentId}.`);
    const copy = database.prepare(`
      INSERT INTO records
      SELECT namespace, replace(replace(key, :agent, :newAgent), :session, :newSession),
        replace(replace(value, :agent, :newAgent), :session, :newSession)
      FROM copied`);
    for (let index = 1; index <= copies; index += 1) {
      const number = String(index).padStart(DIGITS, '0');
      copy.run({
        agent: model.agentId,
        newAgent: `copy-${number}`,
        session: model.sessionId,
        newSession: model.sessionId.slice(0, -DIGITS) + number,
      });
    }
    database.exec('COMMIT');
  } finally {
    database.close();
  }
}
