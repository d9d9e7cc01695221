// `npm run build:console`: builds the page of the console, where a server that runs from the sources finds it.
import { ensureConsoleBuilt } from './build/build-console.ts';

await ensureConsoleBuilt();
