import type { HubMount, HubRoute } from '../wire/hub-method.ts';

/** The routes or the mount at a path. */
export interface RouteMatch {
  /** As registered, with path parameters as `{name}`. */
  readonly path: string;
  readonly mount?: HubMount;
  readonly routes: readonly HubRoute[];
  readonly verbs: readonly string[];
  /** Values of the path parameters by name. */
  readonly segments: Readonly<Record<string, string>>;
}

/** Creates a function that finds the routes or the mount at a path; it returns undefined for a path the hub lacks. */
export function createRouteMatcher(
  routes: readonly HubRoute[],
  mounts: readonly HubMount[],
): (path: string) => RouteMatch | undefined {
  const exact = new Map<string, Omit<RouteMatch, 'segments'>>();
  for (const mount of mounts)
    exact.set(mount.path, { path: mount.path, mount, routes: [], verbs: mount.verbs });
  for (const [path, group] of Map.groupBy(routes, (route) => route.path))
    exact.set(path, { path, routes: group, verbs: group.map(({ verb }) => verb) });
  const templates = [...exact].filter(([path]) => path.includes('{'));
  return (given) => {
    const path = given.length > 1 ? given.replace(/\/$/, '') : given;
    const match = exact.get(path);
    if (match !== undefined) return { ...match, segments: {} };
    for (const [template, candidate] of templates) {
      const segments = matchTemplate(template, path);
      if (segments !== undefined) return { ...candidate, segments };
    }
    return undefined;
  };
}

function matchTemplate(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split('/');
  const found = path.split('/');
  if (wanted.length !== found.length) return undefined;
  const segments: Record<string, string> = {};
  for (const [index, name] of wanted.entries()) {
    const value = found[index] ?? '';
    if (name.startsWith('{') && value !== '') segments[name.slice(1, -1)] = decodeSegment(value);
    else if (name !== value) return undefined;
  }
  return segments;
}

/** A segment that is not valid percent-encoding is used as it is. */
function decodeSegment(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
