/** What the arguments of a call in a batch may refer to. */
export interface BatchReferences {
  /** Of the session that the batch works in; undefined until one is known. */
  readonly sessionId: string | undefined;
  /** The newest result of every tool that was called before. */
  readonly results: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const REFERENCE = /\$\{SESSION_ID\}|\$SESSION_ID\b|\$prev\.(\w+)\.(\w+(?:\.\w+)*)/g;

/**
 * Puts what `$SESSION_ID`, `${SESSION_ID}` and `$prev.TOOL.FIELD` stand for into the texts of a value. A text that is one
 * reference becomes what it refers to, with its type. What was put in is not looked at again.
 */
export function substituteReferences(value: unknown, references: BatchReferences): unknown {
  if (typeof value === 'string') return inText(value, references);
  if (Array.isArray(value)) return value.map((item) => substituteReferences(item, references));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, substituteReferences(item, references)]),
  );
}

function inText(text: string, references: BatchReferences): unknown {
  const [first] = text.matchAll(REFERENCE);
  if (first === undefined) return text;
  if (first[0] === text) return referredTo(first, references);
  return text.replaceAll(REFERENCE, (...match: string[]) => asText(referredTo(match, references)));
}

function referredTo([reference = '', tool, path]: readonly string[], references: BatchReferences): unknown {
  if (tool === undefined || path === undefined) {
    if (references.sessionId !== undefined) return references.sessionId;
    throw new Error(
      `Expected a session for ${reference}, found none. Send x-delx-session-id, or call a tool that begins one first.`,
    );
  }
  const result = references.results.get(tool);
  if (result === undefined) {
    throw new Error(
      `Expected an earlier call of ${tool} for ${reference}, found ${namesIn([...references.results.keys()])}.`,
    );
  }
  return fieldOf(result, path.split('.'), reference);
}

function fieldOf(result: unknown, path: readonly string[], reference: string): unknown {
  let found = result;
  for (const name of path) {
    const fields = typeof found === 'object' && found !== null ? Object.entries(found) : [];
    const field = fields.find(([each]) => each === name);
    if (field === undefined) {
      const known = fields.map(([each]) => each);
      throw new Error(`Expected a field ${name} for ${reference}, found ${namesIn(known)}.`);
    }
    found = field[1];
  }
  return found;
}

function namesIn(names: readonly string[]): string {
  return names.length === 0 ? 'none' : `only ${names.join(', ')}`;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
