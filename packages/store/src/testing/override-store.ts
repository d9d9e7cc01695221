import type { Store } from '../port.ts';

/** A real store with some of its methods replaced. */
export function overrideStore(store: Store, overrides: Partial<Store>): Store {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(overrides, name) ?? Reflect.get(target, name);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
