import { PUBLIC_ENTRIES } from './entries.ts';
import { Module, nodeIn, nodesIn, walk, type Declared, type Modules, type SyntaxNode } from './modules.ts';

/*
 * Types that are computed from a schema or a table (`z.infer<typeof taskSchema>`, `[Name in OperationName]`) say nothing to a reader, and a report of
 * them would not change with the schema. The compiler resolves them: it writes down the type of a constant.
 */

export const PROBE_FILE = 'probe.ts';

/** A type of an entry, by the page of the entry and its name. */
export interface TypeName {
  readonly page: string;
  readonly name: string;
}

/** The types that are computed. */
export function computedTypes(sources: Modules): TypeName[] {
  return PUBLIC_ENTRIES.flatMap(({ page, file }) =>
    sources
      .exportsOf(file)
      .filter((name) => isComputed(sources.exportOf(file, name)))
      .map((name) => ({ page, name })),
  );
}

function isComputed(declared: Declared | undefined): boolean {
  const [statement] = declared?.nodes ?? [];
  const alias = nodeIn(statement, 'declaration') ?? statement;
  if (declared === undefined || alias?.type !== 'TSTypeAliasDeclaration') return false;
  return /\btypeof\b|\bz\.|\[\w+ in /.test(declared.module.textOf(alias));
}

/** A program whose constants have these types. */
export function probeSource(types: readonly TypeName[]): string {
  return [
    'declare function resolve<T>(): { [Key in keyof T]: T[Key] };',
    ...PUBLIC_ENTRIES.map(
      ({ specifier, page }) => `import type * as ${identifier(page)} from '${specifier}';`,
    ),
    ...types.map(
      (type) => `export const ${constant(type)} = resolve<${identifier(type.page)}.${type.name}>();`,
    ),
  ].join('\n');
}

/** The compiler qualifies interfaces of the entries: `protocol.ListTasksResponse`. */
const PAGE_PREFIX = new RegExp(
  `\\b(?:${PUBLIC_ENTRIES.map(({ page }) => identifier(page)).join('|')})\\.`,
  'g',
);

/** The resolved types, by page and name, with the names of other types in place of their shapes. */
export class ResolvedTypes {
  readonly #probe: Module;
  readonly #types = new Map<string, SyntaxNode>();
  readonly #names = new Map<string, string | undefined>();

  /** From the declarations of the probe. A type stands in others by its name; two of one shape are written out. */
  constructor(declarations: string, types: readonly TypeName[]) {
    this.#probe = new Module(PROBE_FILE, declarations);
    for (const type of types) {
      const [statement] = this.#probe.declared.get(constant(type)) ?? [];
      const [declarator] = nodesIn(nodeIn(statement, 'declaration'), 'declarations');
      const resolved = nodeIn(nodeIn(nodeIn(declarator, 'id'), 'typeAnnotation'), 'typeAnnotation');
      if (resolved === undefined)
        throw new Error(`The compiler did not resolve ${type.name} of ${type.page}.`);
      this.#types.set(constant(type), resolved);
      if (!isShape(resolved)) continue;
      const shape = shapeOf(this.#probe.textOf(resolved));
      const isAmbiguous = this.#names.has(shape) && this.#names.get(shape) !== type.name;
      this.#names.set(shape, isAmbiguous ? undefined : type.name);
    }
  }

  /** The text of a resolved type, and the names that stand in it. */
  resolve(type: TypeName): { text: string; names: string[] } | undefined {
    const resolved = this.#types.get(constant(type));
    if (resolved === undefined) return undefined;
    const names: string[] = [];
    return { text: this.#render(resolved, resolved, names).replaceAll(PAGE_PREFIX, ''), names };
  }

  #render(node: SyntaxNode, root: SyntaxNode, names: string[]): string {
    if (node !== root) {
      const name = this.#nameOf(node);
      if (name !== undefined) {
        names.push(name.replace(' | undefined', ''));
        return name;
      }
    }
    let text = '';
    let position = node.start;
    for (const child of outermost(node)) {
      text += this.#probe.text.slice(position, child.start) + this.#render(child, root, names);
      position = child.end;
    }
    return text + this.#probe.text.slice(position, node.end);
  }

  #nameOf(node: SyntaxNode): string | undefined {
    if (!isShape(node)) return undefined;
    const whole = this.#names.get(shapeOf(this.#probe.textOf(node)));
    if (whole !== undefined || node.type !== 'TSUnionType') return whole;
    const present = nodesIn(node, 'types').filter(({ type }) => type !== 'TSUndefinedKeyword');
    const name = this.#names.get(shapeOf(present.map((type) => this.#probe.textOf(type)).join('|')));
    return name === undefined ? undefined : `${name} | undefined`;
  }
}

/** Whether a node is large enough to be worth a name. */
function isShape(node: SyntaxNode): boolean {
  return node.type === 'TSTypeLiteral' || node.type === 'TSUnionType';
}

/** The shapes in a node that are not in another one. */
function outermost(node: SyntaxNode): SyntaxNode[] {
  const shapes = [...walk(node)].filter((each) => each !== node && isShape(each));
  return shapes
    .filter(
      ({ start, end }) =>
        !shapes.some(
          (other) => other.start <= start && end <= other.end && (other.start < start || end < other.end),
        ),
    )
    .toSorted((one, other) => one.start - other.start);
}

function shapeOf(text: string): string {
  return text.replaceAll(/\s+|(?<=[{|;])\||^\|/g, '');
}

function constant({ page, name }: TypeName): string {
  return `${identifier(page)}__${name}`;
}

function identifier(page: string): string {
  return page.replaceAll('-', '_');
}
