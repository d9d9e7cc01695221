/** A command to run to its end, or to leave running in another terminal. */
export interface CommandStep {
  kind: 'run' | 'serve';
  line: number;
  text: string;
  output?: string;
  /** Leaves the servers that run alone; one that is started without it replaces them. */
  also?: true;
}

/** What a page asks its reader to do, in order. */
export type PageStep = CommandStep | { kind: 'file'; line: number; text: string; name: string };

/** A block in a list is indented as its item is. */
const FENCE = /^(?<indent> *)```(?<info>[^\n`]*)\n(?<text>.*?)^\k<indent>```$/gms;

/**
 * Reads the fenced blocks of a page. `sh` is run to its end. `sh serve` is started and stays until the next one; `sh serve
 * also` leaves the earlier ones running. An `output` after any of them is what it prints, and a block with `file=NAME` is
 * saved under that name. Other blocks are only read.
 */
export function readPage(markdown: string): PageStep[] {
  const steps: PageStep[] = [];
  for (const match of markdown.matchAll(FENCE)) {
    const { indent = '', info = '', text: indented = '' } = match.groups ?? {};
    const text = indented.replaceAll(new RegExp(`^ {${indent.length}}`, 'gm'), '');
    const line = markdown.slice(0, match.index).split('\n').length;
    const name = /\bfile=(\S+)/.exec(info)?.[1];
    if (name !== undefined) steps.push({ kind: 'file', line, text, name });
    else if (info === 'sh') steps.push({ kind: 'run', line, text });
    else if (info === 'sh serve') steps.push({ kind: 'serve', line, text });
    else if (info === 'sh serve also') steps.push({ kind: 'serve', line, text, also: true });
    else if (info === 'output') addOutput(steps.at(-1), text, line);
  }
  return steps;
}

function addOutput(step: PageStep | undefined, text: string, line: number): void {
  if (step === undefined || step.kind === 'file') throw new Error(`line ${line}: output without a command`);
  step.output = text;
}
