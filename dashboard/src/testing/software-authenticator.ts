import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

export interface SoftwareAuthenticator {
  /** Answers the options of `navigator.credentials.create`, as the page's script would send it. */
  create(options: CeremonyOptions): string;
  /** Answers the options of `navigator.credentials.get`. */
  get(options: CeremonyOptions, changes?: AssertionChanges): string;
}

export interface CeremonyOptions {
  readonly challenge: string;
}

interface AssertionChanges {
  readonly origin?: string;
  readonly counter?: number;
  /** False: the user is present but not verified. */
  readonly isVerified?: boolean;
  readonly userHandle?: string;
}

/** Creates an authenticator with one passkey (P-256) for an origin. */
export function createSoftwareAuthenticator(origin: string): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(32);
  const rpIdHash = sha256(new URL(origin).hostname);
  let counter = 0;

  const authenticatorData = (flags: number, count: number, credential = Buffer.alloc(0)) =>
    Buffer.concat([rpIdHash, Buffer.from([flags]), uint32(count), credential]);
  const clientData = (type: string, challenge: string, from = origin) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: from, crossOrigin: false }));
  const credential = (response: object) =>
    JSON.stringify({
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      clientExtensionResults: {},
      response,
    });

  return {
    create: ({ challenge }) => {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
      const key = coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'));
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
      const data = authenticatorData(present | verified | hasCredential, counter, attested);
      return credential({
        clientDataJSON: base64url(clientData('webauthn.create', challenge)),
        attestationObject: base64url(attestationObject(data)),
        transports: ['internal'],
      });
    },
    get: ({ challenge }, changes = {}) => {
      counter += 1;
      const flags = changes.isVerified === false ? present : present | verified;
      const data = authenticatorData(flags, changes.counter ?? counter);
      const client = clientData('webauthn.get', challenge, changes.origin);
      return credential({
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
        ...(changes.userHandle !== undefined && { userHandle: base64url(Buffer.from(changes.userHandle)) }),
      });
    },
  };
}

const present = 0x01;
const verified = 0x04;
const hasCredential = 0x40;

/** CBOR: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`, an ES256 key. */
function coseKey(x: Buffer, y: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
    x,
    Buffer.from([0x22, 0x58, 0x20]),
    y,
  ]);
}

/** CBOR: `{fmt: 'none', attStmt: {}, authData: bytes}`. */
function attestationObject(data: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 | value.length]), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x58, data.length]),
    data,
  ]);
}

function sha256(content: string | Buffer): Buffer {
  return createHash('sha256').update(content).digest();
}

function uint32(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function base64url(content: Buffer): string {
  return content.toString('base64url');
}
