import type { Binding } from './binding.ts';

/** A binding that adds headers to every request, for example a credential. */
export function withHeaders(binding: Binding, headers: Readonly<Record<string, string>>): Binding {
  return {
    ...binding,
    request: (address, operation, params) => {
      const request = binding.request(address, operation, params);
      return { ...request, headers: { ...request.headers, ...headers } };
    },
  };
}
