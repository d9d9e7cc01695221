/** Makes two runs of the same command comparable: ids, times and keys differ each time. */
export function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, 'TIME')
    .replaceAll(/holdword_[0-9a-f]{12}_[\w-]{43}/g, 'KEY');
}

/** Whether a command printed what its page shows. JSON may be laid out for the eye there. */
export function showsSameOutput(shown: string, printed: string): boolean {
  const expected = withoutChance(shown).trim();
  const found = withoutChance(printed).trim();
  return (
    found.includes(expected) || (isJson(expected) && isJson(found) && compact(expected) === compact(found))
  );
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function compact(text: string): string {
  return JSON.stringify(JSON.parse(text));
}
