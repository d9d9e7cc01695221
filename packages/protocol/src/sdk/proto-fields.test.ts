import { describe, expect, it } from 'vitest';
import { appendInside, int64Field, readInt64, readMessages } from './proto-fields.ts';

/** The bytes of protobuf's own documentation, and of `protoc --encode`: tag, then the number in groups of seven bits. */
const INT64_BYTES = [
  [1, '150', '089601'],
  [7, '0', '3800'],
  [7, '1', '3801'],
  [5, '127', '287f'],
  [5, '128', '288001'],
  [4, '300', '20ac02'],
  [7, '9007199254740991', '38ffffffffffffff0f'],
  [7, '9223372036854775807', '38ffffffffffffffff7f'],
  [4, '-1', '20ffffffffffffffffff01'],
  [16, '1', '800101'],
] as const;

describe('an int64 field', () => {
  it.each(INT64_BYTES)('%i with %s is %s', (field, value, bytes) => {
    expect(hex(int64Field(field, value))).toBe(bytes);
    expect(readInt64(Buffer.from(bytes, 'hex'), field)).toBe(value);
  });

  it('takes a number as well as its text', () => {
    expect(hex(int64Field(7, 300))).toBe(hex(int64Field(7, '300')));
  });

  it('is read among other fields, the last one if there are several', () => {
    const bytes = Buffer.from('0a01743805120361626338063d00000000', 'hex');
    expect(readInt64(bytes, 7)).toBe('6');
    expect(readInt64(bytes, 4)).toBeUndefined();
  });

  it('is not read from a field of another type', () => {
    expect(readInt64(Buffer.from('3a0105', 'hex'), 7)).toBeUndefined();
  });
});

describe('messages in a field', () => {
  const bytes = Buffer.from('0a01610a016212017a1801', 'hex');

  it('are read in their order', () => {
    expect(readMessages(bytes, 1).map((each) => Buffer.from(each).toString())).toEqual(['a', 'b']);
    expect(readMessages(bytes, 3)).toEqual([]);
  });

  it('get more bytes at their end, and everything else stays where it is', () => {
    const more = [int64Field(7, 1), int64Field(7, 300)];
    expect(hex(appendInside(bytes, 1, more))).toBe('0a036138010a046238ac0212017a1801');
    expect(hex(appendInside(bytes, 4, more))).toBe(hex(bytes));
  });

  it('get a length of more than one byte where that is needed', () => {
    const long = Buffer.concat([Buffer.from('0a7e', 'hex'), Buffer.alloc(126, 0x61)]);
    expect(hex(appendInside(long, 1, [int64Field(7, 5)]))).toBe(`0a8001${'61'.repeat(126)}3805`);
  });

  it('that are cut off are an error', () => {
    expect(() => readMessages(Buffer.from('0a0561', 'hex'), 1)).toThrow();
  });
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
