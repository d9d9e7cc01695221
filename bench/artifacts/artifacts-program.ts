// Measures one kind of content in a separate process, because memory left over from one measurement would hide the usage of
// the next one. `artifacts-program.ts table|text time|memory BYTES ROUNDS` prints one JSON object.
import { DataArtifacts, TextArtifacts } from '@holdword/client';
import { extraBytes } from './memory-watch.ts';
import { sampleTable, sampleText } from './sample-content.ts';
import { timeRatio } from './time-ratio.ts';

interface Work {
  readonly value: unknown;
  readonly minimize: () => unknown;
}

const [content = '', what = '', bytes = '', rounds = ''] = process.argv.slice(2);
const work = content === 'table' ? tableWork(Number(bytes)) : textWork(Number(bytes));
console.log(
  JSON.stringify(what === 'time' ? timeRatio(Number(rounds), work.value, work.minimize) : await memory()),
);

async function memory(): Promise<{ minimizeBytes: number; stringifyBytes: number }> {
  const minimizeBytes = await extraBytes(work.minimize);
  // Proves that extra memory is detected.
  const stringifyBytes = await extraBytes(() => JSON.stringify(work.value));
  return { minimizeBytes, stringifyBytes };
}

function tableWork(size: number): Work {
  const table = sampleTable(size);
  return { value: table, minimize: () => DataArtifacts.minimize(table) };
}

function textWork(size: number): Work {
  const text = sampleText(size);
  return { value: text, minimize: () => TextArtifacts.minimize(text) };
}
