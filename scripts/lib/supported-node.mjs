/** The oldest version that is supported of each line of Node, and of every line after the last one. 22.18 runs TypeScript. */
export const OLDEST_SUPPORTED = ['22.18.0', '24.0.0'];

/** The same as a range, which `engines` of every package repeats. */
export const SUPPORTED_NODE = OLDEST_SUPPORTED.map((version, index) =>
  index < OLDEST_SUPPORTED.length - 1 ? `^${version}` : `>=${version}`,
).join(' || ');

/** The same in words. The command line says it in the same way. */
export function describeSupportedNode() {
  return OLDEST_SUPPORTED.map((version, index) => {
    const [major, minor] = numbersOf(version);
    const first = minor === 0 ? `Node ${major}` : `Node ${major}.${minor}`;
    return index < OLDEST_SUPPORTED.length - 1 ? `${first} or a later ${major}.x` : `${first} or later`;
  }).join(', or ');
}

/** Whether a version of Node is in that range. */
export function isSupportedNode(version) {
  const found = numbersOf(version);
  return OLDEST_SUPPORTED.some((oldest, index) => {
    const [major, minor, patch] = numbersOf(oldest);
    if (found[0] !== major) return index === OLDEST_SUPPORTED.length - 1 && found[0] > major;
    return found[1] > minor || (found[1] === minor && found[2] >= patch);
  });
}

function numbersOf(version) {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}
