/** A command to run to its end, or to leave running in another terminal. */
export interface CommandStep {
  kind: 'run' | 'serve';
  line: number;
  text: string;
  output?: string;
}

/** What a page asks its reader to do, in order. */
export type PageStep = CommandStep | { kind: 'file'; line: number; text: string; name: string };

/** A block in a list is indented as its item is. */
const FENCE = /^(?<indent> *)```(?<info>[^\n`]*)\n(?<text>.*?)^\k<indent>```$/gms;

/**
 * Reads the fenced blocks of a page: `sh` is run to its end, `sh serve` is started and stays, an `output` after either
 * is what it prints, and any block with `file=NAME` is saved under that name. Other blocks are for reading alone.
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
    else if (info === 'output') addOutput(steps.at(-1), text, line);
  }
  return steps;
}

function addOutput(step: PageStep | undefined, text: string, line: number): void {
  if (step === undefined || step.kind === 'file') throw new Error(`line ${line}: output without a command`);
  step.output = text;
}
