import { expect, test } from 'vitest';
import { Modules } from './modules.ts';
import { computedTypes, probeSource, ResolvedTypes, type TypeName } from './resolved-types.ts';

const MESSAGE: TypeName = { page: 'protocol', name: 'Message' };
const ROLE: TypeName = { page: 'protocol', name: 'Role' };
const TASK: TypeName = { page: 'protocol', name: 'Task' };

const PROBE = `
export declare const protocol__Message: {
    role: "agent" | "user";
};
export declare const protocol__Role: "agent" | "user";
export declare const protocol__Task: {
    first: {
        role: "agent" | "user";
    };
    history?: {
        role: "agent" | "user";
    }[] | undefined;
    last?: "agent" | "user" | undefined;
    other: {
        role: string;
    };
    page: protocol.Page;
};
`;

test('types that are computed from values are found', () => {
  const source = `
    export { one as oneSchema, type One, type Two, type Three, type Four } from './types.ts';
  `;
  const types = `
    import { z } from 'zod';
    const one = z.string();
    export { one };
    export type One = z.infer<typeof one>;
    export type Two = string;
    export interface Three { one: One }
    export type Four = { [Name in keyof Three]: Name };
  `;
  const sources = new Modules((path) => (path.endsWith('types.ts') ? types : source));
  const found = computedTypes(sources);
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['One', 'Four']));
  expect(probeSource([MESSAGE])).toContain('export const protocol__Message = resolve<protocol.Message>();');
});

test('a type stands in others by its name, also where it may be missing', () => {
  const resolved = new ResolvedTypes(PROBE, [MESSAGE, ROLE, TASK]);
  expect(resolved.resolve(ROLE)).toEqual({ text: '"agent" | "user"', names: [] });
  const { text = '', names } = resolved.resolve(TASK) ?? {};
  expect(text.replaceAll(/\s+/g, ' ')).toBe(
    '{ first: Message; history?: Message[] | undefined; last?: Role | undefined; other: { role: string; }; page: Page; }',
  );
  expect(names).toEqual(['Message', 'Message', 'Role']);
});

test('two types of one shape are written out', () => {
  const other: TypeName = { page: 'protocol', name: 'Other' };
  const declarations = PROBE + 'export declare const protocol__Other: "agent" | "user";';
  const resolved = new ResolvedTypes(declarations, [MESSAGE, ROLE, other, TASK]);
  expect(resolved.resolve(MESSAGE)?.text).toContain('"agent" | "user"');
});

test('a type that the compiler did not resolve is not passed over', () => {
  expect(() => new ResolvedTypes(PROBE, [{ page: 'protocol', name: 'Missing' }])).toThrow('Missing');
});
