import type { Task } from '@holdword/protocol';

const CHUNK_ROWS = 10_000;
const DEPARTMENTS = ['Engineering', 'Marketing', 'Design', 'Sales', 'Support'];
const LINE = 'A line of a log, with an id that is different each time: ';

/** A table whose JSON has about the given size: IDs, names, numbers, few and many distinct values, gaps. */
export function sampleTable(bytes: number): Record<string, unknown>[] {
  const rows: Record<string, unknown>[] = [];
  for (let written = 0; written < bytes;) {
    const json = JSON.stringify(
      Array.from({ length: CHUNK_ROWS }, (_, index) => sampleRow(rows.length + index)),
    );
    written += json.length;
    // Parsed like received content: concatenated strings have a different representation in memory.
    for (const row of JSON.parse(json) as Record<string, unknown>[]) rows.push(row);
  }
  return rows;
}

function sampleRow(index: number): Record<string, unknown> {
  return {
    id: index,
    name: `Employee number ${index}`,
    email: `person.${index * 7}@example.com`,
    department: DEPARTMENTS[index % DEPARTMENTS.length],
    salary: 60_000 + ((index * 37) % 50_000),
    score: ((index * 7_919) % 10_007) / 100,
    active: index % 3 === 0,
    note: index % 10 === 0 ? null : `note ${index % 1_000}`,
  };
}

/** A text of about the given size, in lines. */
export function sampleText(bytes: number): string {
  const lines: string[] = [];
  for (let written = 0; written < bytes;) {
    const line = `${LINE}${lines.length}\n`;
    lines.push(line);
    written += line.length;
  }
  return lines.join('');
}

/** A task with many artifacts, alternating texts and tables. */
export function sampleTask(artifacts: number): Task {
  const rows = sampleTable(1).slice(0, 200);
  const text = sampleText(20_000);
  return {
    id: 'task',
    contextId: 'context',
    status: {
      state: 'TASK_STATE_COMPLETED',
      message: { messageId: 'message', role: 'ROLE_AGENT', parts: [{ text }] },
    },
    artifacts: Array.from({ length: artifacts }, (_, index) => ({
      artifactId: `artifact-${index}`,
      name: `Artifact ${index}`,
      parts: [index % 2 === 0 ? { text } : { data: rows }],
    })),
  };
}
