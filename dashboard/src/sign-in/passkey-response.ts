import { z } from 'zod';

/** The answer of a browser's WebAuthn API. Has the fields that are read before the verification. */
export interface PasskeyResponse {
  /** The passkey's id in base64url. */
  readonly id: string;
  readonly challenge: string;
  readonly transports: readonly string[];
  /** The person's id. Not every authenticator sends it. */
  readonly userHandle: string | undefined;
  readonly json: unknown;
}

const base64url = z.string().regex(/^[\w-]+$/);
const responseShape = z.object({
  id: base64url.max(1_400),
  response: z.object({
    clientDataJSON: base64url,
    transports: z.array(z.string().max(20)).max(10).optional(),
    userHandle: base64url.nullish(),
  }),
});
const clientDataShape = z.object({ challenge: base64url });

/** Returns undefined for a text that no browser sends. */
export function readPasskeyResponse(text: string): PasskeyResponse | undefined {
  const json = parseJson(text);
  const { data } = responseShape.safeParse(json);
  if (data === undefined) return undefined;
  const { id, response } = data;
  const clientData = clientDataShape.safeParse(parseJson(decode(response.clientDataJSON))).data;
  if (clientData === undefined) return undefined;
  return {
    id,
    challenge: clientData.challenge,
    transports: response.transports ?? [],
    userHandle: response.userHandle ? decode(response.userHandle) : undefined,
    json,
  };
}

function decode(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
