type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** What was not said stays out, so that defaults hold. */
export function withoutUndefined<Values extends object>(values: Values): Given<Values> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Values>;
}
