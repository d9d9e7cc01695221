// The address is the state of the page: what is open, how it is filtered, which part is selected. Pages read it from here and
// change it with `navigate`, so that a link, a reload and the back button always show the same.
import { signal } from '@preact/signals';

export interface Address {
  /** Below the place where the console is mounted, without slashes at its ends: `tasks/4f0c`. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Where the console is mounted. The server writes it into the page, which may be loaded at any depth below it. */
export const base = new URL('.', document.baseURI);

export const address = signal<Address>(readAddress());

function readAddress(): Address {
  const { pathname, search } = window.location;
  const below = pathname.startsWith(base.pathname) ? pathname.slice(base.pathname.length) : '';
  return { path: below.replace(/\/$/, ''), query: new URLSearchParams(search) };
}

export type Query = Readonly<Record<string, string | undefined>>;

/** The address of a page, for a link. Segments are encoded; filters without a value are left out. */
export function hrefOf(segments: readonly string[], query: Query = {}): string {
  const path = segments.map((segment) => encodeURIComponent(segment)).join('/');
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') search.set(name, value);
  return base.pathname + path + (search.size === 0 ? '' : `?${search}`);
}

/** The segments of the page that is open, decoded. */
export function segmentsOf({ path }: Address): string[] {
  return path === '' ? [] : path.split('/').map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

export function navigate(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  address.value = readAddress();
  if (!replace) window.scrollTo(0, 0);
}

/** Changes filters of the open page and leaves the others as they are. */
export function setQuery(changes: Query, options: { replace?: boolean } = {}): void {
  const { path, query } = address.peek();
  const next: Record<string, string | undefined> = { ...Object.fromEntries(query), ...changes };
  navigate(hrefOf(segmentsOf({ path, query }), next), options);
}

/** Follows links inside the console without loading it again. */
export function listenToAddress(): void {
  window.addEventListener('popstate', () => {
    address.value = readAddress();
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download')) return;
    if (link.origin !== window.location.origin || !link.pathname.startsWith(base.pathname)) return;
    if (link.pathname.startsWith(`${base.pathname}api/`)) return;
    event.preventDefault();
    if (link.href !== window.location.href) navigate(link.href);
  });
}
