import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { LiveAgent } from './agents.ts';
import { parsed, type ProcessOptions, type Ran, type Tool } from './tool.ts';

/** What a check works with: the command line, and an agent. */
export class CheckContext {
  readonly tool: Tool;
  readonly agent: LiveAgent;

  constructor(tool: Tool, agent: LiveAgent) {
    this.tool = tool;
    this.agent = agent;
  }

  readonly run = (...words: string[]): Promise<Ran> => this.tool.run(this.#wordsFor(words));

  readonly runProcess = (words: readonly string[], options: ProcessOptions): Promise<Ran> =>
    this.tool.runProcess(this.#wordsFor(words), options);

  readonly json = async (...words: string[]): Promise<unknown> =>
    parsed(await this.run(...words, '-o', 'json'));

  /** The card in a file, changed. */
  readonly cardFile = async (
    name: string,
    change: (card: Readonly<Record<string, unknown>>) => object,
  ): Promise<string> => {
    const card = (await this.json('card', 'get')) as Record<string, unknown>;
    const path = join(this.tool.folder, name);
    await writeFile(path, JSON.stringify({ ...card, ...change(card) }));
    return path;
  };

  readonly read = (name: string): Promise<string> => readFile(join(this.tool.folder, name), 'utf8');

  #wordsFor(words: readonly string[]): string[] {
    return [...words, '-a', this.agent.url, ...this.agent.options];
  }
}

/** Proves a requirement; rejects if it does not hold. */
export interface Check {
  /**
   * Which agents can show it: all of them, those of A2A 1.0, those with gRPC, those without credentials, or the demo server, which
   * alone has logins and signatures.
   */
  readonly on: 'every' | 'current' | 'grpc' | 'open' | 'own';
  readonly run: (context: CheckContext) => Promise<void>;
}

export type Checks = Readonly<Record<string, Check>>;
