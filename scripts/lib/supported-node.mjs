/**
 * The oldest version that is supported of each line of Node, and of every line after the last one. 22.18 is the first that
 * runs agents in TypeScript.
 */
export const OLDEST_SUPPORTED = ['22.18.0', '24.0.0'];

/** The same as a range, which `engines` of every package repeats. */
export const SUPPORTED_NODE = OLDEST_SUPPORTED.map((version, index) =>
  index < OLDEST_SUPPORTED.length - 1 ? `^${version}` : `>=${version}`,
).join(' || ');

/** The oldest version that runs the sources: they have `using`, which the build replaces for older ones. */
export const OLDEST_FOR_SOURCES = '24.0.0';

/** Whether a version of Node runs the sources. */
export function runsSources(version) {
  const [found, oldest] = [version, OLDEST_FOR_SOURCES].map((each) => Number.parseInt(each, 10));
  return found >= oldest;
}
