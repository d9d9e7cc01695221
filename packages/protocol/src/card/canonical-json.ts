/**
 * Serializes a value with RFC 8785, the JSON Canonicalization Scheme. The RFC defines numbers and strings as JSON.stringify
 * writes them, and sorts names by UTF-16 code units, which is how `<` compares.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('Canonical JSON cannot contain lone surrogates.');
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`Canonical JSON cannot represent ${value}.`);
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
      throw new TypeError(`Canonical JSON cannot represent a value of type ${typeof value}.`);
  }
}

function canonicalObject(object: object): string {
  const members = Object.entries(object)
    .filter(([, value]) => value !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${canonicalJson(name)}:${canonicalJson(value)}`);
  return `{${members.join(',')}}`;
}
