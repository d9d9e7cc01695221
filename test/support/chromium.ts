import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
import manifest from '../../package.json' with { type: 'json' };

const CACHE = join(import.meta.dirname, '..', '..', 'node_modules', '.cache');
const version = manifest.devDependencies['@sparticuz/chromium'];

/** Set where the packaged browser does not run: on other systems than Linux on x64. */
const OWN_BROWSER = process.env['HOLDWORD_CHROMIUM'];

/** Whether there is a browser for tests on this machine. */
export const hasBrowser =
  OWN_BROWSER !== undefined || (process.platform === 'linux' && process.arch === 'x64');

/** Starts a real Chromium, with its web security on. */
export async function launchChromium(): Promise<Browser> {
  if (OWN_BROWSER !== undefined) return chromium.launch({ executablePath: OWN_BROWSER });
  const folder = await unpackedBrowser();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    // The arguments that the package suggests turn web security off, which is what some tests are about.
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
    env: {
      ...process.env,
      // The libraries that the package brings along; a machine without a desktop has none of them.
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: join(folder, 'fonts'),
    },
  });
}

/** Unpacks the browser once, for all processes. It takes three seconds. */
async function unpackedBrowser(): Promise<string> {
  const folder = join(CACHE, `chromium-${version}`);
  if (existsSync(folder)) return folder;
  await mkdir(CACHE, { recursive: true });
  const staging = await mkdtemp(join(CACHE, 'chromium-'));
  const script = 'import chromium from "@sparticuz/chromium"; await chromium.executablePath();';
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    // The package unpacks to the folder for temporary files, and its libraries only where it takes itself to be on Lambda.
    env: { ...process.env, TMPDIR: staging, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' },
  });
  await writeFile(join(staging, 'fonts', 'fonts.conf'), fontsIn(folder));
  try {
    await rename(staging, folder);
  } catch (error) {
    // Another process was faster.
    await rm(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Those of the package look at fixed paths. Without a font, text has no width, and a page is empty to a test. */
function fontsIn(folder: string): string {
  const [fonts, cache] = [join(folder, 'fonts'), join(folder, 'fonts-cache')];
  return `<?xml version="1.0"?><fontconfig><dir>${fonts}</dir><cachedir>${cache}</cachedir></fontconfig>\n`;
}
