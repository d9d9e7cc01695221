/**
 * RFC 8785, the JSON Canonicalization Scheme. Numbers and strings are written as ECMAScript's JSON.stringify writes them,
 * which is how the RFC defines them; names are sorted by UTF-16 code units, which is how `sort` compares.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('Canonical JSON holds no lone surrogates.');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`Canonical JSON has no ${value}.`);
      return JSON.stringify(value);
    case 'boolean':
      return String(value);
    case 'object':
      return value === null ? 'null' : canonicalObject(value);
    case 'bigint':
    case 'function':
    case 'symbol':
    case 'undefined':
    default:
      throw new TypeError(`Canonical JSON has no ${typeof value}.`);
  }
}

function canonicalObject(object: object): string {
  const members = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${canonicalJson(name)}:${canonicalJson(value)}`);
  return `{${members.join(',')}}`;
}
