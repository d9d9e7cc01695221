/**
 * Removes the named fields if they are empty strings, which in ProtoJSON is the same as omitting them: code behind the schemas
 * then sees one form of a missing field.
 */
export function withoutEmpty<Value extends object>(...fields: (keyof Value)[]): (value: Value) => Value {
  return (value) => {
    for (const field of fields) {
      if (value[field] === '') delete value[field];
    }
    return value;
  };
}
