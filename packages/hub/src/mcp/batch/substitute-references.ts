/** What the arguments of a call in a batch can refer to. */
export interface BatchReferences {
  /** The session of the batch; undefined until it is known. */
  readonly sessionId: string | undefined;
  /** The latest result of each tool that was called before. */
  readonly results: ReadonlyMap<string, Readonly<Record<string, unknown>>>;
}

const REFERENCE = /\$\{SESSION_ID\}|\$SESSION_ID\b|\$prev\.(\w+)\.(\w+(?:\.\w+)*)/g;

/**
 * Replaces `$SESSION_ID`, `${SESSION_ID}` and `$prev.TOOL.FIELD` in the strings of a value. A string that is exactly one
 * reference becomes the referenced value with its type. Replacements are not expanded again.
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
      `${reference} has no value: no session is known. Send x-delx-session-id, or first call a tool that starts a session.`,
    );
  }
  const result = references.results.get(tool);
  if (result === undefined) {
    throw new Error(
      `${reference} has no value: no earlier call of ${tool} succeeded. Earlier results: ${namesIn([...references.results.keys()])}.`,
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
      throw new Error(`${reference} has no value: there is no field ${name}. Fields: ${namesIn(known)}.`);
    }
    found = field[1];
  }
  return found;
}

function namesIn(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
