type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Removes settings that are not given, so that defaults apply. */
export function withoutUndefined<Values extends object>(values: Values): Given<Values> {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as Given<Values>;
}
