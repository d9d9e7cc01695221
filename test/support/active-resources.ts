/** What a test may not leave behind: servers, children, and timers that keep the process alive. */
const WATCHED = ['TCPServerWrap', 'ProcessWrap', 'Timeout'] as const;

export type ActiveResources = Readonly<Record<string, number>>;

export function activeResources(): ActiveResources {
  const active = process.getActiveResourcesInfo();
  return Object.fromEntries(
    WATCHED.map((kind) => [kind, active.filter((resource) => resource === kind).length]),
  );
}

/** The kinds of which there are more now than before. */
export function leftBehind(before: ActiveResources, now: ActiveResources): string[] {
  return Object.keys(now).filter((kind) => (now[kind] ?? 0) > (before[kind] ?? 0));
}
