import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_COMMENT, parseDocComment, type DocComment } from './doc-comment.ts';
import { emitDeclarations } from './emit-declarations.ts';
import { PUBLIC_ENTRIES, ROOT, type PublicEntry } from './entries.ts';
import {
  Modules,
  nodeIn,
  nodesIn,
  stringIn,
  walk,
  type Declared,
  type Module,
  type SyntaxNode,
} from './modules.ts';
import { computedTypes, PROBE_FILE, probeSource, ResolvedTypes } from './resolved-types.ts';

export type SymbolKind = 'function' | 'class' | 'interface' | 'type' | 'constant';

/** A method, property or constructor of a class or interface. */
export interface ApiMember {
  readonly name: string;
  /** In one line, as it is declared: `close(): Promise<void>`. */
  readonly signature: string;
  /** Without types, as one writes it: `sendMessage(agentId, message, options?)`. */
  readonly usage: string;
  readonly comment: DocComment;
}

/** Something that users import by its name. */
export interface ApiSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** As declared, without comments and without what users cannot reach. */
  readonly text: string;
  /** The same with the comments inside it, for what is shown as a whole. */
  readonly commented: string;
  readonly comment: DocComment;
  readonly members: readonly ApiMember[];
  /** Names of ours that the declaration mentions. */
  readonly mentions: readonly string[];
  /** Where it is described. */
  readonly page: string;
  /** The source that declares it, from the root. */
  readonly file: string;
}

export interface ApiEntry extends PublicEntry {
  /** What the first comment of its source says. */
  readonly introduction: string;
  /** What is described here, sorted by name. */
  readonly symbols: readonly ApiSymbol[];
  /** What another entry exports and describes, sorted by name. */
  readonly reexported: readonly ApiSymbol[];
}

export interface Api {
  readonly entries: readonly ApiEntry[];
  /** What public declarations mention and no public entry exports: `runtime: Runtime mentions Clock`. */
  readonly missing: readonly string[];
}

/** Reads the public API off the declarations that the compiler writes. */
export async function readApi(): Promise<Api> {
  const sources = new Modules((path) => readFileSync(join(ROOT, path), 'utf8'));
  const types = computedTypes(sources);
  const declarations = await emitDeclarations({ [PROBE_FILE]: probeSource(types) });
  const resolved = new ResolvedTypes(declarations.get(PROBE_FILE) ?? '', types);
  return new Reader(new Modules((path) => declarations.get(path)), resolved).read();
}

class Reader {
  readonly #modules: Modules;
  readonly #resolved: ResolvedTypes;
  /** The page of each public declaration; undefined when every entry that exports it describes it. */
  readonly #pages = new Map<SyntaxNode, string | undefined>();
  readonly #missing = new Set<string>();

  constructor(modules: Modules, resolved: ResolvedTypes) {
    this.#modules = modules;
    this.#resolved = resolved;
  }

  read(): Api {
    for (const entry of PUBLIC_ENTRIES) {
      for (const { module, nodes } of this.#exportsOf(entry.file).values()) {
        const isOwn = packageOf(entry.file) === packageOf(module.path);
        for (const node of nodes) {
          const known = this.#pages.get(node);
          // The main entry of a package comes first. What a package without public entries declares is described where it is exported.
          this.#pages.set(node, isOwn ? (known ?? entry.page) : known);
        }
      }
    }
    const entries = PUBLIC_ENTRIES.map((entry) => this.#readEntry(entry));
    return { entries, missing: [...this.#missing].toSorted() };
  }

  #exportsOf(file: string): Map<string, Declared> {
    return new Map(
      this.#modules.exportsOf(file).flatMap((name) => {
        const declared = this.#modules.exportOf(file, name);
        return declared === undefined ? [] : [[name, declared] as const];
      }),
    );
  }

  #readEntry(entry: PublicEntry): ApiEntry {
    const symbols = [...this.#exportsOf(entry.file)]
      .map(([name, declared]) => this.#readSymbol(entry, name, declared))
      .filter(({ comment }) => !comment.isInternal)
      .toSorted((one, other) => (one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1));
    const source = readFileSync(join(ROOT, entry.file), 'utf8');
    const [, introduction = ''] = /^\/\*(\*.*?)\*\//s.exec(source) ?? [];
    return {
      ...entry,
      introduction: parseDocComment(introduction).description,
      symbols: symbols.filter(({ page }) => page === entry.page),
      reexported: symbols.filter(({ page }) => page !== entry.page),
    };
  }

  #readSymbol(entry: PublicEntry, name: string, declared: Declared): ApiSymbol {
    const { module, nodes } = declared;
    const [first] = nodes;
    const declaration = nodeIn(first, 'declaration') ?? first;
    if (first === undefined || declaration === undefined) throw new Error(`${name} has no declaration.`);
    const page = this.#pages.get(first) ?? entry.page;
    const comments = nodes.map((node) => commentOf(module, node));
    const comment = comments.find(({ description }) => description !== '') ?? comments[0] ?? NO_COMMENT;
    const resolved = this.#resolved.resolve({ page, name });
    const members = membersOf(declaration).filter((member) => isReachable(module, member));
    const text =
      resolved === undefined
        ? nodes.map((node) => declarationText(module, nodeIn(node, 'declaration') ?? node)).join('\n')
        : `type ${name} = ${resolved.text};`;
    const isAlias = kindOf(declaration) === 'type' && resolved === undefined;
    return {
      name,
      kind: kindOf(declaration),
      text,
      commented: isAlias ? module.textOf(declaration).replace(/^declare /, '') : text,
      comment,
      members: members
        .filter((member) => member['accessibility'] !== 'private')
        .map((member) => ({
          name: memberName(module, member),
          signature: signatureOf(module, member),
          usage: usageOf(module, member, name),
          comment: commentOf(module, member),
        })),
      mentions: resolved?.names ?? this.#mentionsOf(page, name, declared),
      page,
      file: module.path,
    };
  }

  #mentionsOf(page: string, name: string, { module, nodes }: Declared): string[] {
    const mentions = new Set<string>();
    for (const [mentioned, node] of nodes.flatMap((each) => [...mentionedNames(module, each)])) {
      const declared = this.#modules.lookUp(module, mentioned);
      if (declared === undefined || declared.nodes.includes(node)) continue;
      const [first] = declared.nodes;
      if (first !== undefined && this.#pages.has(first)) mentions.add(declared.name);
      else this.#missing.add(`${page}: ${name} mentions ${mentioned}`);
    }
    mentions.delete(name);
    return [...mentions].toSorted();
  }
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** The names of types and values that a declaration mentions, as far as users see it. */
function* mentionedNames(module: Module, statement: SyntaxNode): Generator<[string, SyntaxNode]> {
  const hidden = membersOf(nodeIn(statement, 'declaration') ?? statement).filter(
    (member) => !isReachable(module, member),
  );
  for (const node of walk(statement)) {
    if (hidden.some(({ start, end }) => start <= node.start && node.end <= end)) continue;
    const field = MENTIONS[node.type];
    const mentioned = field === undefined ? undefined : nodeIn(node, field);
    const name = leftmostName(mentioned);
    if (name !== '') yield [name, statement];
  }
}

/** Where nodes name what is declared somewhere else. */
const MENTIONS: Readonly<Record<string, string>> = {
  TSTypeReference: 'typeName',
  TSTypeQuery: 'exprName',
  TSInterfaceHeritage: 'expression',
  TSClassImplements: 'expression',
  ClassDeclaration: 'superClass',
};

function leftmostName(node: SyntaxNode | undefined): string {
  const left = nodeIn(node, 'left') ?? nodeIn(node, 'object');
  return left === undefined ? stringIn(node, 'name') : leftmostName(left);
}

const KINDS: Readonly<Record<string, SymbolKind>> = {
  ClassDeclaration: 'class',
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  VariableDeclaration: 'constant',
};

function kindOf({ type }: SyntaxNode): SymbolKind {
  const kind = KINDS[type];
  if (kind === undefined) throw new Error(`Expected a declaration that can be described, found ${type}.`);
  return kind;
}

function commentOf(module: Module, node: SyntaxNode): DocComment {
  const comment = module.commentBefore(node);
  return comment === undefined ? NO_COMMENT : parseDocComment(comment);
}

/** Of a class, an interface, or a constant that is an object. */
function membersOf(declaration: SyntaxNode): SyntaxNode[] {
  const [declarator] = nodesIn(declaration, 'declarations');
  const type = nodeIn(nodeIn(nodeIn(declarator, 'id'), 'typeAnnotation'), 'typeAnnotation');
  return declarator === undefined
    ? nodesIn(nodeIn(declaration, 'body'), 'body')
    : nodesIn(type?.type === 'TSTypeLiteral' ? type : undefined, 'members');
}

/** Not hard-private, and not meant for our own packages alone. */
function isReachable(module: Module, member: SyntaxNode): boolean {
  return nodeIn(member, 'key')?.type !== 'PrivateIdentifier' && !commentOf(module, member).isInternal;
}

function memberName(module: Module, member: SyntaxNode): string {
  const key = nodeIn(member, 'key');
  return key === undefined ? '' : module.textOf(key);
}

/** A member in one line, without its comments. */
function signatureOf(module: Module, member: SyntaxNode): string {
  return withoutComments(module, member, []).replaceAll(/\s+/g, ' ').replace(/;$/, '').trim();
}

function usageOf(module: Module, member: SyntaxNode, owner: string): string {
  const name = memberName(module, member);
  const type = nodeIn(nodeIn(member, 'typeAnnotation'), 'typeAnnotation');
  const method = nodeIn(member, 'value') ?? (type?.type === 'TSFunctionType' ? type : member);
  if (!('params' in method) || member['kind'] === 'get')
    return member['optional'] === true ? `${name}?` : name;
  const parameters = nodesIn(method, 'params').map((parameter) => {
    const target = nodeIn(parameter, 'left') ?? nodeIn(parameter, 'argument') ?? parameter;
    const text = target.type === 'ObjectPattern' ? patternName(module, target) : stringIn(target, 'name');
    const rest = parameter.type === 'RestElement' ? '...' : '';
    return `${rest}${text}${target['optional'] === true ? '?' : ''}`;
  });
  if (member['kind'] === 'constructor') return `new ${owner}(${parameters.join(', ')})`;
  return `${member['static'] === true ? `${owner}.` : ''}${name}(${parameters.join(', ')})`;
}

/** What a parameter that is taken apart is called: after its type. */
function patternName(module: Module, pattern: SyntaxNode): string {
  const type = nodeIn(nodeIn(pattern, 'typeAnnotation'), 'typeAnnotation');
  const name = type?.type === 'TSTypeReference' ? module.textOf(type).replace(/^V03/, '') : '';
  if (!/^[A-Z]\w*$/.test(name) || name.endsWith('Options')) return 'options';
  return name.charAt(0).toLowerCase() + name.slice(1);
}

function declarationText(module: Module, declaration: SyntaxNode): string {
  const hidden = membersOf(declaration).filter((member) => !isReachable(module, member));
  return withoutComments(module, declaration, hidden)
    .replace(/^declare /, '')
    .replaceAll(/\n\s*\n/g, '\n');
}

/** The text of a node without its comments, without hidden members, and with names for parameters that are taken apart. */
function withoutComments(module: Module, node: SyntaxNode, hidden: readonly SyntaxNode[]): string {
  const patterns = [...walk(node)].flatMap((each) => {
    const annotation = each.type === 'ObjectPattern' ? nodeIn(each, 'typeAnnotation') : undefined;
    const text = `${patternName(module, each)}${each['optional'] === true ? '?' : ''}`;
    return annotation === undefined ? [] : [{ start: each.start, end: annotation.start, text }];
  });
  const changes = [
    ...[...module.comments, ...hidden].map(({ start, end }) => ({ start, end, text: '' })),
    ...patterns,
  ]
    .filter(({ start, end }) => node.start <= start && end <= node.end)
    .toSorted((one, other) => one.start - other.start);
  let text = '';
  let position = node.start;
  for (const change of changes) {
    if (change.end <= position) continue;
    text += module.text.slice(position, change.start) + change.text;
    position = change.end;
  }
  return text + module.text.slice(position, node.end);
}
