import { createHmac } from 'node:crypto';
import { readPasskeyResponse } from '@jobs-delete/dashboard/sign-in/passkeys';
import { checkTicket } from '@jobs-delete/dashboard/web/ticket';
import type { Target } from '../fuzz.ts';
import { isObject, jsonMarks, parseJson } from './json.ts';

const key = Buffer.alloc(32, 7);
const nowMs = 1_800_000_000_000;
const expiresAtMs = nowMs + 1;

/** Writes a ticket by its form: 16 random bytes, 6 bytes of the time when it expires, and their HMAC. */
function ticketOf(purpose: string, atMs: number, signedBy = key): string {
  const expiry = Buffer.from(atMs.toString(16).padStart(12, '0'), 'hex');
  const body = Buffer.concat([Buffer.alloc(16, 'nonce'), expiry]);
  const mac = createHmac('sha256', signedBy).update(`${purpose} `).update(body).digest();
  return Buffer.concat([body, mac]).toString('base64url');
}

const validTicket = ticketOf('form anna', expiresAtMs);

export const ticket: Target = {
  name: 'ticket',
  seeds: [
    validTicket,
    ticketOf('form anna', nowMs),
    ticketOf('form bob', expiresAtMs),
    ticketOf('passkey anna', expiresAtMs),
    ticketOf('form anna', expiresAtMs, Buffer.alloc(32)),
  ],
  words: ['=', '==', '-', '_', '+', '/', 'A', 'AAAA', ' ', '\n', '\0', 'é', validTicket],
  run: (input) => {
    const until = checkTicket(key, { purpose: 'form', holder: 'anna' }, input.toString(), nowMs);
    return until === undefined ? 'refused' : `valid until ${until}`;
  },
  judge: (input) => (input.toString() === validTicket ? `valid until ${expiresAtMs}` : 'refused'),
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const clientDataJSON = encoded({
  type: 'webauthn.get',
  challenge: 'Y2hhbGxlbmdl',
  origin: 'https://x.example',
});

export const passkeyResponse: Target = {
  name: 'passkey-response',
  seeds: [
    JSON.stringify({
      id: 'cGFzc2tleQ',
      response: { clientDataJSON, userHandle: 'YW5uYQ', transports: ['usb', 'nfc'] },
    }),
    JSON.stringify({ id: 'a', response: { clientDataJSON, userHandle: null } }),
    JSON.stringify({ id: 'a', response: { clientDataJSON: encoded({}) } }),
  ],
  words: [
    ...[...jsonMarks, '"id"', '"response"', '"clientDataJSON"', '"transports"', '"userHandle"', 'null'],
    ...[
      '""',
      '"usb",',
      '1',
      'true',
      '"__proto__"',
      clientDataJSON,
      encoded({ challenge: 'a' }),
      encoded({ challenge: 1 }),
    ],
    ...[encoded([]), encoded(null), '=', '-', '_', '+', '\\u0041', 'a'.repeat(21), '"id":"b",'],
  ],
  run: (input) => {
    const response = readPasskeyResponse(input.toString());
    if (response === undefined) return 'refused';
    const { id, challenge, transports, userHandle } = response;
    return JSON.stringify([id, challenge, transports, userHandle]);
  },
  judge: (input) => {
    const { id, response } = membersOf(input.toString());
    const { clientDataJSON: clientData, transports = [], userHandle } = membersOf(response);
    const isHandle = userHandle === undefined || userHandle === null || isBase64Url(userHandle);
    const isList =
      Array.isArray(transports) &&
      transports.length <= 10 &&
      transports.every((each) => typeof each === 'string' && each.length <= 20);
    if (!isBase64Url(id) || id.length > 1_400 || !isBase64Url(clientData) || !isHandle || !isList)
      return 'refused';
    const { challenge } = membersOf(Buffer.from(clientData, 'base64').toString());
    if (!isBase64Url(challenge)) return 'refused';
    const handle = isBase64Url(userHandle) ? Buffer.from(userHandle, 'base64').toString() : undefined;
    return JSON.stringify([id, challenge, transports, handle]);
  },
};

/** Returns the members of an object, or of the JSON of one. */
function membersOf(value: unknown): Record<string, unknown> {
  const members = typeof value === 'string' ? parseJson(value) : value;
  return isObject(members) ? members : {};
}

function isBase64Url(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !/[^A-Za-z0-9_-]/.test(value);
}
