// `npm run code-shape`: prints how the product is cut into files.
import { filesOfASend } from './code-shape/files-of-a-send.ts';
import { measureCode } from './code-shape/measure.ts';

const shape = await measureCode();
const sent = await filesOfASend();
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const rows: readonly (readonly [string, string | number])[] = [
  ['product files', shape.files],
  ['lines', shape.lines],
  ['lines of a file, median', shape.medianLines],
  ['lines of a file, p90', shape.p90Lines],
  ['lines of the longest file', `${shape.longestFile.lines} (${shape.longestFile.path})`],
  ['files with a single importer', percent(shape.singleImporterShare)],
  ['lines that are imports', percent(shape.importLineShare)],
  ['import cycles', `${shape.cycles.length}, in ${shape.cycles.flat().length} files`],
  ['cycles between folders', shape.folderCycles.length],
  ['files that name one operation', shape.filesNamingOperation.length],
  ['files run by one SendMessage', sent.length],
];
for (const [name, value] of rows) console.log(`${name.padEnd(32)}${value}`);
if (process.argv.includes('--list')) {
  for (const cycle of shape.cycles) console.log(`\ncycle:\n  ${cycle.join('\n  ')}`);
  for (const cycle of shape.folderCycles) console.log(`\nfolder cycle:\n  ${cycle.join('\n  ')}`);
  console.log(`\noperation:\n  ${shape.filesNamingOperation.join('\n  ')}`);
  console.log(`\nsend:\n  ${sent.join('\n  ')}`);
}
