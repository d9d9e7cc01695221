/** The same values under longer names: `holdword/100`. */
export function withSuffix<Value>(
  values: Readonly<Record<string, Value>>,
  suffix: string | number,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${name}/${suffix}`, value]));
}
