import { NO_COMMENT, type DocComment } from './doc-comment.ts';
import { formatWith } from './format.ts';
import type { Api, ApiEntry, ApiMember, ApiSymbol } from './read-api.ts';

/** The groups of a page, in the order in which a reader needs them. */
const GROUPS: readonly { title: string; has: (symbol: ApiSymbol) => boolean }[] = [
  { title: 'Functions', has: ({ kind }) => kind === 'function' },
  { title: 'Classes', has: (symbol) => symbol.kind === 'class' && !isError(symbol) },
  { title: 'Constants', has: ({ kind }) => kind === 'constant' },
  { title: 'Errors', has: (symbol) => symbol.kind === 'class' && isError(symbol) },
  { title: 'Types', has: ({ kind }) => kind === 'interface' || kind === 'type' },
];

/** All but the types. */
const CALLED = GROUPS.slice(0, -1);

function isError({ name }: ApiSymbol): boolean {
  return name.endsWith('Error');
}

/** The page of an entry: every name with its description, declaration and example. */
export async function renderReference(api: Api, entry: ApiEntry): Promise<string> {
  const page = new Page(api, entry);
  const groups = await Promise.all(
    GROUPS.map(({ title, has }) => page.group(title, entry.symbols.filter(has))),
  );
  return formatWith(
    'markdown',
    [
      '<!-- Written by `npm run write:api` from the comments in the sources. -->',
      `# ${entry.specifier}`,
      entry.introduction,
      `All names are exported by \`${entry.specifier}\`. [What is public](README.md) says what that means.`,
      ...page.contents(),
      ...groups.flat(),
      ...page.reexports(),
    ].join('\n\n'),
  );
}

/** The page that leads to the others. */
export async function renderReferenceIndex(api: Api): Promise<string> {
  const rows = api.entries.map(
    ({ specifier, page, introduction }) => `| [\`${specifier}\`](${page}.md) | ${inOneLine(introduction)} |`,
  );
  return formatWith(
    'markdown',
    `<!-- Written by \`npm run write:api\` from the comments in the sources. -->

# API reference

| Import | For |
| --- | --- |
${rows.join('\n')}

## What is public

These entries are the public API and follow semantic versioning. Entries named \`internal\` are published because Holdword's own
packages need them; they change without notice. \`@holdword/net\` has no other entry.

An interface that you receive, such as \`Turn\` or \`Runtime\`, may get new members in a minor version. One that you implement, such
as \`Executor\`, only gets optional ones. \`Store\` is meant to be opened and passed on, not implemented.

A plain name such as \`Task\` is A2A 1.0 in every package. The objects of A2A 0.3 are named \`V03Task\`, \`V03Message\` and so on.
`,
  );
}

class Page {
  readonly #entry: ApiEntry;
  /** Where each public name is described. */
  readonly #links = new Map<string, string>();

  constructor(api: Api, entry: ApiEntry) {
    this.#entry = entry;
    for (const { page, symbols } of api.entries) {
      for (const { name } of symbols) {
        const isHere = page === entry.page;
        if (isHere || !this.#links.has(name)) {
          this.#links.set(name, `${isHere ? '' : `${page}.md`}#${name.toLowerCase()}`);
        }
      }
    }
  }

  /** Everything at a glance: what one calls with its purpose, also if another package has it, and the names of the types. */
  contents(): string[] {
    const { symbols, reexported } = this.#entry;
    const listed = CALLED.flatMap(({ has }) => [...symbols, ...reexported].filter(has));
    const rows = listed.map(
      ({ name, comment }) => `| ${this.#link(name)} | ${this.#text(firstSentence(comment))} |`,
    );
    const types = [...symbols, ...reexported].filter((symbol) => !listed.includes(symbol));
    return [
      ...(rows.length === 0 ? [] : [['| Name | Purpose |', '| --- | --- |', ...rows].join('\n')]),
      ...(types.length === 0 ? [] : [`Types: ${types.map(({ name }) => this.#link(name)).join(', ')}`]),
    ];
  }

  async group(title: string, symbols: readonly ApiSymbol[]): Promise<string[]> {
    if (symbols.length === 0) return [];
    const described = await Promise.all(symbols.map((symbol) => this.#describe(symbol)));
    return [`## ${title}`, ...described.flat()];
  }

  reexports(): string[] {
    const { reexported } = this.#entry;
    if (reexported.length === 0) return [];
    const items = reexported.map(
      ({ name, comment }) => `- ${this.#link(name)}: ${this.#text(firstSentence(comment))}`,
    );
    return ['## From other packages', items.join('\n')];
  }

  async #describe(symbol: ApiSymbol): Promise<string[]> {
    const { name, comment, members } = symbol;
    // Members of interfaces are listed with their descriptions; showing the whole declaration would repeat them.
    const isListed = symbol.kind === 'interface' && members.length > 0;
    const declaration = await formatWith('typescript', isListed ? headOf(symbol) : symbol.commented);
    const shown =
      isListed && !/extends|</.test(declaration) ? [] : [fence(declaration.trim().replace(/ \{\}$/, ''))];
    return [
      `### ${name}`,
      this.#text(forUsers(comment.description)),
      ...shown,
      ...this.#members(symbol),
      ...this.#details(comment),
      ...this.#mentions(symbol),
    ];
  }

  /** Members of an interface with their types; of others, whose declaration is shown, what they do. */
  #members({ kind, members }: ApiSymbol): string[] {
    const isInterface = kind === 'interface';
    const shown = isInterface ? members : members.filter(({ comment }) => comment !== NO_COMMENT);
    if (shown.length === 0) return [];
    return [shown.map((member) => this.#member(member, isInterface ? 'signature' : 'usage')).join('\n')];
  }

  #member({ comment, ...texts }: ApiMember, text: 'usage' | 'signature'): string {
    const details = this.#details(comment).map((detail) => `\n\n${indented(detail)}`);
    const description = comment.description === '' ? '' : `: ${this.#text(inOneLine(comment.description))}`;
    const standard = comment.default === undefined ? '' : ` Default: ${asCode(comment.default)}.`;
    return `- \`${texts[text]}\`${description}${standard}${details.join('')}`;
  }

  #details(comment: DocComment): string[] {
    const { parameters, returns, throws, examples, deprecated } = comment;
    return [
      ...(deprecated === undefined ? [] : [`**Deprecated.** ${this.#text(deprecated)}`]),
      ...(parameters.length === 0
        ? []
        : [parameters.map(({ name, text }) => `- \`${name}\`: ${this.#text(inOneLine(text))}`).join('\n')]),
      ...(returns === undefined ? [] : [`**Returns** ${this.#text(inOneLine(returns))}`]),
      ...throws.map((text) => `**Throws** ${this.#text(inOneLine(text))}`),
      ...examples.flatMap((example) => ['**Example**', example.includes('```') ? example : fence(example)]),
    ];
  }

  #mentions({ mentions }: ApiSymbol): string[] {
    const links = mentions.filter((name) => this.#links.has(name)).map((name) => this.#link(name));
    return links.length === 0 ? [] : [`Types: ${links.join(', ')}`];
  }

  #link(name: string): string {
    return `[\`${name}\`](${this.#links.get(name)})`;
  }

  /** Text with the links of its comment. The numbers of guarantees lead to their page. */
  #text(text: string): string {
    const linked = text.replaceAll(/\((J\d+)\)/g, '([$1](../../concepts/guarantees.md))');
    return linked.replaceAll(
      /\{@link(?:code)? ([^}|]+?)(?:\s*\|\s*([^}]+))?\}/g,
      (_, name: string, label?: string) =>
        this.#links.has(name)
          ? `[${label ?? `\`${name}\``}](${this.#links.get(name)})`
          : `\`${label ?? name}\``,
    );
  }
}

/** An interface without its members. */
function headOf({ text }: ApiSymbol): string {
  return `${text.slice(0, text.indexOf('{'))}{}`;
}

/** What a user needs of a description: not what a class is responsible for among others of ours. */
function forUsers(description: string): string {
  return description
    .split('\n\n')
    .filter((paragraph) => !paragraph.startsWith('Responsible for'))
    .join('\n\n');
}

/** The first sentence, or what stands before its colon; code is not looked into. */
function firstSentence({ description }: DocComment): string {
  const [paragraph = ''] = description.split('\n\n');
  const text = inOneLine(paragraph);
  return /^(?:`[^`]*`|[^`])*?[.:](?=\s|$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, '  ');
}

/** A value as code, words as they are. */
function asCode(text: string): string {
  return /^[\w.]+$|^['"[{].*['"\]}]$/.test(text) ? `\`${text}\`` : text;
}

function fence(code: string): string {
  return `\`\`\`ts\n${code}\n\`\`\``;
}
