/**
 * Drops the named fields where they hold an empty string: to ProtoJSON that is the same as leaving them out, and code
 * behind the schemas then knows one form of "not given".
 */
export function withoutEmpty<Value extends object>(...fields: (keyof Value)[]): (value: Value) => Value {
  return (value) => {
    for (const field of fields) {
      if (value[field] === '') delete value[field];
    }
    return value;
  };
}
