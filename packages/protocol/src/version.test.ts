import { describe, expect, it } from 'vitest';
import { parseVersion } from './version.ts';

describe('parseVersion', () => {
  it.each([undefined, null, '', '  '])('parses %j as 0.3', (value) => {
    expect(parseVersion(value)).toBe('0.3');
  });

  it.each([
    ['1.0', '1.0'],
    ['1', '1.0'],
    ['1.0.0', '1.0'],
    ['1.0.3', '1.0'],
    [' 1.0 ', '1.0'],
    ['1.1', '1.1'],
    ['1.1.2', '1.1'],
    ['0.3', '0.3'],
    ['0.3.0', '0.3'],
    ['0.3.7', '0.3'],
  ])('parses %j as %s', (value, version) => {
    expect(parseVersion(value)).toBe(version);
  });

  it.each(['99.0', '2', '0', '0.2', '1.2', '1.0-beta', 'v1.0', '1.0.0.0', 'latest', '1.', '1e0', '1.0, 0.3'])(
    'rejects %j',
    (value) => {
      expect(() => parseVersion(value)).toThrow(
        expect.objectContaining({
          code: 'VERSION_NOT_SUPPORTED',
          message: expect.stringContaining('A2A-Version with one of: 1.0, 1.1, 0.3'),
          metadata: { supportedVersions: '1.0, 1.1, 0.3' },
        }),
      );
    },
  );
});
