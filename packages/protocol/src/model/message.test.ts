import { describe, expect, it } from 'vitest';
import { isBase64, toStandardBase64 } from './message.ts';

describe('isBase64', () => {
  it.each(['', 'aGk=', 'aGk', '+/+/', '-_-_', 'QQ=='])('accepts %j', (value) => {
    expect(isBase64(value)).toBe(true);
  });

  it.each(['a', 'aGk==', 'a=b=', 'not base64!', 'aGkx=', '===='])('rejects %j', (value) => {
    expect(isBase64(value)).toBe(false);
  });
});

describe('toStandardBase64', () => {
  it('converts the URL-safe alphabet to the standard one and pads', () => {
    expect(toStandardBase64('-_8')).toBe('+/8=');
    expect(toStandardBase64('QQ')).toBe('QQ==');
  });

  it('does not change the standard form', () => {
    expect(toStandardBase64('aGk=')).toBe('aGk=');
    expect(toStandardBase64('')).toBe('');
  });
});
