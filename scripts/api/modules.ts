import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { ENTRY_FILES } from './entries.ts';

/** A node of the syntax tree (ESTree with TypeScript), as far as it is looked at here. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** A name and where it is declared; several nodes when a function is overloaded. */
export interface Declared {
  readonly module: Module;
  readonly name: string;
  readonly nodes: readonly SyntaxNode[];
}

interface Elsewhere {
  readonly specifier: string;
  readonly name: string;
}

/** One file of sources or declarations: what it declares, imports and exports. */
export class Module {
  readonly path: string;
  readonly text: string;
  readonly comments: readonly SyntaxNode[];
  readonly declared = new Map<string, SyntaxNode[]>();
  readonly imported = new Map<string, Elsewhere>();
  readonly exported = new Map<string, string | Elsewhere>();
  readonly exportedWhole: string[] = [];

  constructor(path: string, text: string) {
    const { program, comments, errors } = parseSync(path, text, { lang: 'ts' });
    if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`);
    this.path = path;
    this.text = text;
    this.comments = comments as unknown as SyntaxNode[];
    for (const statement of nodesIn(program, 'body')) this.#read(statement);
  }

  textOf(node: SyntaxNode): string {
    return this.text.slice(node.start, node.end);
  }

  /** The JSDoc comment right before a node, without its delimiters. */
  commentBefore(node: SyntaxNode): string | undefined {
    const comment = this.comments.findLast(({ end }) => end <= node.start);
    if (comment === undefined || this.text.slice(comment.end, node.start).trim() !== '') return undefined;
    const text = this.textOf(comment);
    return text.startsWith('/**') ? text.slice(2, -2) : undefined;
  }

  #read(statement: SyntaxNode): void {
    const source = stringIn(nodeIn(statement, 'source'), 'value');
    if (statement.type === 'ImportDeclaration') {
      for (const specifier of nodesIn(statement, 'specifiers')) {
        const name = nodeIn(specifier, 'imported');
        this.imported.set(nameIn(specifier, 'local'), { specifier: source, name: stringIn(name, 'name') });
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      this.exportedWhole.push(source);
    } else if (statement.type === 'ExportNamedDeclaration') {
      const declaration = nodeIn(statement, 'declaration');
      if (declaration !== undefined) this.#declare(declaration, statement, true);
      for (const specifier of nodesIn(statement, 'specifiers')) {
        const local = nameIn(specifier, 'local');
        this.exported.set(
          nameIn(specifier, 'exported'),
          source === '' ? local : { specifier: source, name: local },
        );
      }
    } else {
      this.#declare(statement, statement, false);
    }
  }

  #declare(declaration: SyntaxNode, statement: SyntaxNode, isExported: boolean): void {
    const declarators = nodesIn(declaration, 'declarations');
    const names = (declarators.length > 0 ? declarators : [declaration]).map((node) => nameIn(node, 'id'));
    for (const name of names.filter((each) => each !== '')) {
      this.declared.set(name, [...(this.declared.get(name) ?? []), statement]);
      if (isExported) this.exported.set(name, name);
    }
  }
}

/** Finds declarations across the files of the workspace. */
export class Modules {
  readonly #textOf: (path: string) => string | undefined;
  readonly #modules = new Map<string, Module>();

  /** `textOf` reads sources, or declarations in their place, by the path of the source from the root. */
  constructor(textOf: (path: string) => string | undefined) {
    this.#textOf = textOf;
  }

  /** By the path of the source from the root. */
  module(path: string): Module {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const text = this.#textOf(path);
    if (text === undefined) throw new Error(`There is no ${path}.`);
    const module = new Module(path, text);
    this.#modules.set(path, module);
    return module;
  }

  /** All names that a file exports. */
  exportsOf(path: string): string[] {
    const module = this.module(path);
    const whole = module.exportedWhole.flatMap((specifier) => {
      const target = sourceOf(module, specifier);
      return target === undefined ? [] : this.exportsOf(target);
    });
    return [...new Set([...module.exported.keys(), ...whole])];
  }

  /** Where something that a file exports is declared; undefined when that is a library of others. */
  exportOf(path: string, name: string): Declared | undefined {
    const module = this.module(path);
    const found = module.exported.get(name);
    if (typeof found === 'string') return this.lookUp(module, found);
    if (found !== undefined) return this.#elsewhere(module, found);
    for (const specifier of module.exportedWhole) {
      const declared = this.#elsewhere(module, { specifier, name });
      if (declared !== undefined) return declared;
    }
    return undefined;
  }

  /** Where a name that a file uses is declared; undefined for what is global or in a library of others. */
  lookUp(module: Module, name: string): Declared | undefined {
    const nodes = module.declared.get(name);
    if (nodes !== undefined) return { module, name, nodes };
    const elsewhere = module.imported.get(name);
    return elsewhere && this.#elsewhere(module, elsewhere);
  }

  #elsewhere(module: Module, { specifier, name }: Elsewhere): Declared | undefined {
    const path = sourceOf(module, specifier);
    return path === undefined ? undefined : this.exportOf(path, name);
  }
}

/** The source that a specifier leads to. */
function sourceOf(module: Module, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return join(module.path, '..', specifier);
  return ENTRY_FILES.get(specifier);
}

export function nodeIn(node: object | undefined, field: string): SyntaxNode | undefined {
  const value: unknown = (node as Record<string, unknown> | undefined)?.[field];
  return isNode(value) ? value : undefined;
}

export function nodesIn(node: object | undefined, field: string): SyntaxNode[] {
  const value: unknown = (node as Record<string, unknown> | undefined)?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

export function stringIn(node: object | undefined, field: string): string {
  const value: unknown = (node as Record<string, unknown> | undefined)?.[field];
  return typeof value === 'string' ? value : '';
}

export function nameIn(node: object | undefined, field: string): string {
  return stringIn(nodeIn(node, field), 'name');
}

/** A node and everything below it. */
export function* walk(node: SyntaxNode): Generator<SyntaxNode> {
  yield node;
  for (const value of Object.values(node)) {
    const children = Array.isArray(value) ? value : [value];
    for (const child of children) if (isNode(child)) yield* walk(child);
  }
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value;
}
