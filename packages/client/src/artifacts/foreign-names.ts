import { isObject } from '@holdword/protocol/internal';

/*
 * Names that start with an underscore are the client's: a model reads `_tip` and `_notice` as ours. Agents choose the names in
 * their data, so theirs are marked wherever a model sees them.
 */

const MARK = 'agent:';
const OWN_NAME = new RegExp(`^(?:${MARK})*_`);

/** The name of a field as a model sees it. Different names stay different. */
export function foreignName(name: string): string {
  return OWN_NAME.test(name) ? `${MARK}${name}` : name;
}

/** The field that is meant by a name: the one that is shown under it, or the one that the agent calls so. */
export function fieldNamed(name: string, has: (name: string) => boolean): string | undefined {
  if (has(name)) return name;
  const shown = foreignName(name);
  return has(shown) ? shown : undefined;
}

/** Data of an agent for a model: the same value, unless it has names like ours. */
export function withForeignNames(data: unknown): unknown {
  return hasOwnNames(data) ? copyOf(data) : data;
}

/** Iterative, as all of this file: untrusted data may be nested deeper than the call stack allows. */
function hasOwnNames(data: unknown): boolean {
  const waiting: unknown[] = [data];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (!isObject(value)) {
      if (Array.isArray(value)) for (const item of value) if (isNested(item)) waiting.push(item);
      continue;
    }
    for (const name in value) {
      if (OWN_NAME.test(name)) return true;
      const item = value[name];
      if (isNested(item)) waiting.push(item);
    }
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function copyOf(data: unknown): unknown {
  const waiting: [from: object, to: object][] = [];
  const begin = (value: unknown): unknown => {
    if (!Array.isArray(value) && !isObject(value)) return value;
    const copy = Array.isArray(value) ? [] : {};
    waiting.push([value, copy]);
    return copy;
  };
  const copy = begin(data);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [from, to] = next;
    const isList = Array.isArray(from);
    for (const [name, value] of Object.entries(from))
      Reflect.set(to, isList ? name : foreignName(name), begin(value));
  }
  return copy;
}
