/** As `engines` in the package.json of every package. */
export const SUPPORTED_NODE = '^22.18.0 || >=24.0.0';

/**
 * What is wrong with running on a version of Node, as a sentence; undefined if nothing is.
 *
 * Loaded by Node versions that Holdword does not support, before anything else: imports nothing, and uses only what Node
 * 18 has.
 */
export function unsupportedNode(version: string, range: string = SUPPORTED_NODE): string | undefined {
  const lines = range.split('||').map(parseLine);
  if (lines.some((line) => includes(line, numbersOf(version)))) return undefined;
  return (
    `Holdword needs ${lines.map(describe).join(', or ')}; this is Node ${version}. ` +
    'Install a supported version from https://nodejs.org, and start again.'
  );
}

type Numbers = readonly [major: number, minor: number, patch: number];

/** One part of a range: `^22.18.0` is limited to its major version, `>=24.0.0` is not. */
interface ReleaseLine {
  readonly oldest: Numbers;
  readonly newerMajors: boolean;
}

function parseLine(text: string): ReleaseLine {
  const [, operator, oldest = ''] = /^\s*(\^|>=)([\d.]+)\s*$/.exec(text) ?? [];
  return { oldest: numbersOf(oldest), newerMajors: operator === '>=' };
}

function includes({ oldest, newerMajors }: ReleaseLine, version: Numbers): boolean {
  if (version[0] !== oldest[0]) return newerMajors && version[0] > oldest[0];
  return version[1] > oldest[1] || (version[1] === oldest[1] && version[2] >= oldest[2]);
}

function describe({ oldest: [major, minor], newerMajors }: ReleaseLine): string {
  const first = minor === 0 ? `Node ${major}` : `Node ${major}.${minor}`;
  return newerMajors ? `${first} or later` : `${first} or a later ${major}.x`;
}

function numbersOf(version: string): Numbers {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  return [major, minor, patch];
}
