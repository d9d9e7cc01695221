import { REST_ROUTES, type OperationRequest, type RestVerb } from '@holdword/protocol/internal';
import type { StreamingOperation, UnaryOperation } from '../wire.ts';

type Operation = UnaryOperation | StreamingOperation;

export interface RestRoute {
  verb: RestVerb;
  /** Relative to the base URL, including the query. */
  path: string;
  /** The body of a POST request. */
  body?: Readonly<Record<string, unknown>>;
}

/** The route of a 1.0 operation; request fields that are not in the path go into the query or the body. */
export function restRoute<Name extends Operation>(
  operation: Name,
  request: OperationRequest<Name>,
): RestRoute {
  const { verb, path } = routeOf(operation);
  const { tenant, ...fields }: Record<string, unknown> = request;
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields[name]);
    delete fields[name];
    return encodeURIComponent(value);
  });
  const prefix = typeof tenant === 'string' && tenant !== '' ? `/${encodeURIComponent(tenant)}` : '';
  if (verb === 'POST') return { verb, path: `${prefix}/${filled}`, body: fields };
  return { verb, path: `${prefix}/${filled}${queryOf(fields)}` };
}

function routeOf(operation: Operation): { verb: RestVerb; path: string } {
  for (const { path, operations } of REST_ROUTES) {
    // POST before GET: where the specification's text and its proto differ, the text wins.
    const verb = (['POST', 'GET'] as const).find((each) => operations[each] === operation);
    if (verb !== undefined) return { verb, path };
  }
  throw new Error(`${operation} has no path`);
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      query.set(name, String(value));
    }
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}
