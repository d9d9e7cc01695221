import { describeValue } from '../describe-issue.ts';
import type { FieldViolation } from '../errors/a2a-error.ts';
import { asObject, isObject } from '../model/json.ts';

/** Why the 0.3 part at `field` has no valid content. */
export function v03PartViolation(part: unknown, field: string): FieldViolation {
  if (!isObject(part)) return expectedObject(field, part);
  const { kind, text, file, data } = part;
  switch (kind) {
    case 'text':
      return { field: `${field}.text`, description: `expected a string, found ${describeValue(text)}` };
    case 'data':
      return expectedObject(`${field}.data`, data);
    case 'file':
      return fileViolation(file, `${field}.file`, 'bytes and uri');
    default:
      return {
        field: `${field}.kind`,
        description: `expected kind text, file or data, found ${describeValue(kind)}`,
      };
  }
}

/** The same for the ProtoJSON of 0.3, whose parts have no `kind`. */
export function v03ProtoPartViolation(part: unknown, field: string): FieldViolation {
  if (!isObject(part)) return expectedObject(field, part);
  const { file, data } = part;
  if (file !== undefined) return fileViolation(file, `${field}.file`, 'fileWithBytes and fileWithUri');
  if (data !== undefined) {
    return isObject(data)
      ? expectedObject(`${field}.data.data`, asObject(data)['data'])
      : expectedObject(`${field}.data`, data);
  }
  return { field, description: `expected exactly one of text, file and data, found ${describeValue(part)}` };
}

function fileViolation(file: unknown, field: string, contents: string): FieldViolation {
  if (!isObject(file)) return expectedObject(field, file);
  return { field, description: `expected exactly one of ${contents}, found ${describeValue(file)}` };
}

function expectedObject(field: string, found: unknown): FieldViolation {
  return { field, description: `expected an object, found ${describeValue(found)}` };
}
