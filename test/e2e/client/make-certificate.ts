import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface Certificate {
  /** The host name. */
  readonly name: string;
  /** In PEM, like the next one. */
  readonly key: string;
  readonly cert: string;
}

const ECDSA_WITH_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const BASIC_CONSTRAINTS = '0603551d13';
const SUBJECT_ALTERNATIVE_NAME = '0603551d11';
const IS_AUTHORITY = '30030101ff';
const DAY = 24 * 60 * 60 * 1000;

/**
 * Makes a certificate for a host, signed by another certificate's key or self-signed, valid for some days around now. Encodes DER by hand, because Node can
 * read certificates but not create them, and not every machine has a program that can.
 */
export function makeCertificate(
  name: string,
  issuer?: Certificate,
  days: readonly [from: number, to: number] = [-1, 1],
): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const algorithm = sequence(hex(ECDSA_WITH_SHA256));
  const validity = sequence(...days.map((day) => utcTime(Date.now() + day * DAY)));
  const alternativeNames = sequence(der(0x82, Buffer.from(name)));
  const extensions = sequence(
    extension(BASIC_CONSTRAINTS, hex(IS_AUTHORITY)),
    extension(SUBJECT_ALTERNATIVE_NAME, alternativeNames),
  );
  const content = sequence(
    der(0xa0, hex('020102')),
    der(0x02, Buffer.concat([hex('01'), randomBytes(8)])),
    algorithm,
    distinguishedName(issuer?.name ?? name),
    validity,
    distinguishedName(name),
    spki,
    der(0xa3, extensions),
  );
  const certificate = sequence(
    content,
    algorithm,
    bitString(sign('sha256', content, issuer?.key ?? privateKey)),
  );
  return {
    name,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  return Buffer.concat([Buffer.from([tag, ...lengthBytes(content.length)]), content]);
}

/** The shortest encoding, which DER requires. */
function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length];
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents);
}

function bitString(content: Buffer): Buffer {
  return der(0x03, hex('00'), content);
}

function distinguishedName(name: string): Buffer {
  return sequence(der(0x31, sequence(hex(COMMON_NAME), der(0x0c, Buffer.from(name)))));
}

function extension(id: string, content: Buffer): Buffer {
  return sequence(hex(id), der(0x04, content));
}

/** Such as `261116002026Z`. */
function utcTime(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function hex(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}
