import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SqliteDatabase, SqliteStatement } from 'kysely';

/**
 * Adapts `node:sqlite` to Kysely's SQLite dialect, so that the SDK's database store runs without a native build. Statements
 * are prepared once, so that a slow adapter does not distort the comparison.
 */
export function kyselyDatabase(database: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      let statement = statements.get(sql);
      if (statement === undefined) {
        statement = kyselyStatement(database.prepare(sql));
        statements.set(sql, statement);
      }
      return statement;
    },
    close: () => database.close(),
  };
}

function kyselyStatement(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...toInputValues(parameters)),
    run: (parameters) => statement.run(...toInputValues(parameters)),
    iterate: (parameters) => statement.iterate(...toInputValues(parameters)),
  };
}

function toInputValues(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((parameter) => {
    if (parameter === null || typeof parameter === 'string' || typeof parameter === 'number')
      return parameter;
    throw new Error(`An SQL parameter must be a string, a number or null, found ${typeof parameter}.`);
  });
}
