/** Resources that a test must not leak: servers, child processes, and timers that keep the process alive. */
const WATCHED = ['TCPServerWrap', 'ProcessWrap', 'Timeout'] as const;

export type ActiveResources = Readonly<Record<string, number>>;

export function activeResources(): ActiveResources {
  const active = process.getActiveResourcesInfo();
  return Object.fromEntries(
    WATCHED.map((kind) => [kind, active.filter((resource) => resource === kind).length]),
  );
}

/** The kinds of resources of which there are more now than before. */
export function leftBehind(before: ActiveResources, now: ActiveResources): string[] {
  return Object.keys(now).filter((kind) => (now[kind] ?? 0) > (before[kind] ?? 0));
}
