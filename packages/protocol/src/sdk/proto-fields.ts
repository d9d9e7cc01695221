import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/*
 * Fields that the SDK's messages do not have yet, read from and written to the bytes of those messages. Nothing relies on a
 * receiver that merges a field which occurs twice.
 */

/** Calls `read` for each field; it returns false to skip the field. */
export function readFields(
  bytes: Uint8Array,
  read: (field: number, reader: BinaryReader, type: WireType) => unknown,
): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, type] = reader.tag();
    if (read(field, reader, type) === false) reader.skip(type);
  }
}

/** The bytes of an int64 field, as a decimal number or its text. */
export function int64Field(field: number, value: string | number): Uint8Array {
  return new BinaryWriter().tag(field, WireType.Varint).int64(BigInt(value)).finish();
}

/** The last value of an int64 field, as ProtoJSON writes it. */
export function readInt64(bytes: Uint8Array, field: number): string | undefined {
  let value: string | undefined;
  readFields(bytes, (found, reader, type) => {
    if (found !== field || type !== WireType.Varint) return false;
    value = String(reader.int64());
    return true;
  });
  return value;
}

/** The messages in a field, in their order. */
export function readMessages(bytes: Uint8Array, field: number): Uint8Array[] {
  const messages: Uint8Array[] = [];
  readFields(bytes, (found, reader, type) => {
    if (found !== field || type !== WireType.LengthDelimited) return false;
    return messages.push(reader.bytes());
  });
  return messages;
}

/** The last value of a text field. */
export function readText(bytes: Uint8Array, field: number): string | undefined {
  let value: string | undefined;
  readFields(bytes, (found, reader, type) => {
    if (found !== field || type !== WireType.LengthDelimited) return false;
    value = reader.string();
    return true;
  });
  return value;
}

/** The same message with `more` at the end of each message in a field: one item of `more` for each, in their order. */
export function appendInside(bytes: Uint8Array, field: number, more: readonly Uint8Array[]): Uint8Array {
  return changeInside(bytes, field, (content, index) => Buffer.concat([content, more[index] ?? NOTHING]));
}

/** The same message with each message in a field changed. */
export function changeInside(
  bytes: Uint8Array,
  field: number,
  change: (content: Uint8Array, index: number) => Uint8Array,
): Uint8Array {
  const writer = new BinaryWriter();
  const reader = new BinaryReader(bytes);
  let index = 0;
  while (reader.pos < reader.len) {
    const start = reader.pos;
    const [found, type] = reader.tag();
    if (found !== field || type !== WireType.LengthDelimited) {
      reader.skip(type);
      writer.raw(bytes.subarray(start, reader.pos));
      continue;
    }
    writer.tag(field, WireType.LengthDelimited).bytes(change(reader.bytes(), index));
    index += 1;
  }
  return writer.finish();
}

const NOTHING = new Uint8Array();
