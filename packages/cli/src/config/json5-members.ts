/** A member of an object in a JSON5 text: `name: value`, without the comma. */
export interface Member {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The text of the value. */
  readonly value: string;
}

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** White space and comments; then a string, a bracket, a separator, or anything else up to the next of these. */
const SKIPPED = /(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)*/y;
const TOKEN = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|[{}[\]:,]|(?:(?!\/[/*])[^\s{}[\]:,"'])+/y;

/**
 * The members of the object at a path, in order. Undefined if there is none. Only finds where things are, so that a
 * configuration can be edited without losing its comments; values are not read.
 *
 * @throws SyntaxError if the text is not JSON5
 */
export function membersAt(text: string, path: readonly string[]): readonly Member[] | undefined {
  const tokens = tokensOf(text);
  if (tokens.length === 0) return undefined;
  let index: number | undefined = 0;
  for (const name of path) {
    const found: Located | undefined = locate(text, tokens, index).find(({ member }) => member.name === name);
    if (found === undefined) return undefined;
    index = found.valueIndex;
  }
  return tokens[index]?.text === '{' ? locate(text, tokens, index).map(({ member }) => member) : undefined;
}

/** The text with something else in place of a member and the comma after it. */
export function replaceMember(text: string, { start, end }: Member, replacement: string): string {
  const afterComma = /^(?:\s|\/\/[^\n\r]*|\/\*[^]*?\*\/)*,/.exec(text.slice(end))?.[0].length ?? 0;
  return text.slice(0, start) + replacement + text.slice(end + afterComma);
}

interface Located {
  readonly member: Member;
  readonly valueIndex: number;
}

/** The members of the object that begins at a token. Empty if another value begins there. */
function locate(text: string, tokens: readonly Token[], index: number): Located[] {
  const found: Located[] = [];
  if (tokens[index]?.text !== '{') return found;
  for (let next = index + 1; at(tokens, next).text !== '}';) {
    const key = at(tokens, next);
    if (at(tokens, next + 1).text !== ':') throw malformed(text, at(tokens, next + 1));
    const valueIndex = next + 2;
    const last = lastOfValue(text, tokens, valueIndex);
    const { start } = at(tokens, valueIndex);
    const { end } = at(tokens, last);
    found.push({
      member: { name: nameOf(key.text), start: key.start, end, value: text.slice(start, end) },
      valueIndex,
    });
    const after = at(tokens, last + 1);
    if (after.text !== ',' && after.text !== '}') throw malformed(text, after);
    next = after.text === ',' ? last + 2 : last + 1;
  }
  return found;
}

/** The index of the last token of the value that begins at a token. */
function lastOfValue(text: string, tokens: readonly Token[], index: number): number {
  let depth = 0;
  for (let next = index; ; next += 1) {
    const token = at(tokens, next);
    if (token.text === '{' || token.text === '[') depth += 1;
    else if (token.text === '}' || token.text === ']') depth -= 1;
    if (depth < 0 || (depth === 0 && (token.text === ',' || token.text === ':')))
      throw malformed(text, token);
    if (depth === 0) return next;
  }
}

function nameOf(key: string): string {
  return /^["']/.test(key) ? key.slice(1, -1) : key;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let position = skip(text, 0); position < text.length; position = skip(text, position)) {
    TOKEN.lastIndex = position;
    const found = TOKEN.exec(text)?.[0];
    if (found === undefined) throw malformed(text, { text: text.charAt(position), start: position });
    tokens.push({ text: found, start: position, end: position + found.length });
    position += found.length;
  }
  return tokens;
}

function skip(text: string, position: number): number {
  SKIPPED.lastIndex = position;
  return position + (SKIPPED.exec(text)?.[0].length ?? 0);
}

function at(tokens: readonly Token[], index: number): Token {
  const token = tokens[index];
  if (token === undefined) throw new SyntaxError('it ends in the middle of an object');
  return token;
}

function malformed(text: string, { text: found, start }: Pick<Token, 'text' | 'start'>): SyntaxError {
  const line = text.slice(0, start).split('\n').length;
  return new SyntaxError(`unexpected ${JSON.stringify(found.slice(0, 20))} in line ${line}`);
}

/**
 * The value that a JSON5 text stands for, as far as configurations use it.
 *
 * @throws SyntaxError if the text is not JSON5
 */
export function parseJson5(text: string): unknown {
  const tokens = tokensOf(text);
  const { value, next } = valueAt(text, tokens, 0);
  if (next < tokens.length) throw malformed(text, at(tokens, next));
  return value;
}

function valueAt(text: string, tokens: readonly Token[], index: number): { value: unknown; next: number } {
  const token = at(tokens, index);
  if (token.text === '{') {
    const members = locate(text, tokens, index);
    const entries = members.map(({ member, valueIndex }) => [
      member.name,
      valueAt(text, tokens, valueIndex).value,
    ]);
    return { value: Object.fromEntries(entries), next: lastOfValue(text, tokens, index) + 1 };
  }
  if (token.text === '[') {
    const items: unknown[] = [];
    let next = index + 1;
    while (at(tokens, next).text !== ']') {
      const item = valueAt(text, tokens, next);
      items.push(item.value);
      next = at(tokens, item.next).text === ',' ? item.next + 1 : item.next;
    }
    return { value: items, next: next + 1 };
  }
  return { value: scalarOf(text, token), next: index + 1 };
}

function scalarOf(text: string, token: Token): unknown {
  const { text: found } = token;
  const plain = found.startsWith("'")
    ? `"${found.slice(1, -1).replaceAll(/\\'|"/g, (each) => (each === '"' ? '\\"' : "'"))}"`
    : found.replace(/^\+/, '').replace(/^(-?)\./, '$10.');
  try {
    return JSON.parse(plain);
  } catch {
    throw malformed(text, token);
  }
}
