import { isRefusal } from '@jobs-delete/gateway/http/answer/refusal';
import { checkCredentials, tokenIdOf } from '@jobs-delete/gateway/http/request/check-credentials';
import type { Target } from '../fuzz.ts';
import { readHeaderLines } from './header-lines.ts';

const tokenId = '0123456789abcdef01234567';
const token = `jdt_${tokenId}_${'0123456789abcdef'.repeat(4)}`;
const secretKey = `jds_${tokenId}_${'fedcba9876543210'.repeat(4)}`;
const allowedOrigin = 'https://shop.example';

const authenticator = {
  authenticateToken: (text: string) =>
    Promise.resolve(
      text === token
        ? { accountId: 'acme', tokenId, allowedDomains: ['shop.example'] }
        : ('token_invalid' as const),
    ),
  verifySecretKey: (_accountId: string, text: string) =>
    Promise.resolve(text === secretKey ? { secretKeyId: tokenId } : ('secret_key_invalid' as const)),
  recordUse: () => undefined,
  recordRefusal: () => undefined,
};

const valid = `authorization: Bearer ${token}\nusersecretkey: ${secretKey}\norigin: ${allowedOrigin}`;

export const credentials: Target = {
  name: 'credentials',
  seeds: [
    valid,
    valid.replace('Bearer', 'bEaReR ').replace('https', 'HTTPS'),
    `authorization: Bearer ${secretKey}\nusersecretkey: ${token}\norigin: ${token}`,
    `authorization: Basic ${token}==\nusersecretkey: \norigin: null`,
    `${valid}\n${valid}`,
  ],
  words: [
    ...[
      'authorization: ',
      'usersecretkey: ',
      'origin: ',
      '\n',
      'Bearer ',
      'bearer',
      'Basic ',
      ' ',
      '  ',
      '\t',
      ',',
      ', ',
    ],
    ...[
      '=',
      '==',
      '.',
      '~',
      '+',
      '/',
      '_',
      '-',
      '"',
      '\u00e9',
      'jdt_',
      'jds_',
      'JDT_',
      token,
      secretKey,
      tokenId,
    ],
    ...[allowedOrigin, 'null', 'http://', '.', ':443', '/', 'shop.example', '@'],
  ],
  run: async (input) => {
    const headers = readHeaderLines(input);
    const caller = await checkCredentials(headers, authenticator, {});
    if (tokenIdOf(headers) === undefined && !isRefusal(caller)) throw new Error('the token has no id');
    if (!isRefusal(caller)) return `accepted: ${caller.webOrigin}`;
    const text = JSON.stringify(caller);
    if (text.includes(token) || text.includes(secretKey)) throw new Error('the refusal has a credential');
    if ((caller.detail ?? []).length === 0) throw new Error('the refusal has no detail');
    return `refused: ${caller.code}`;
  },
  judge: (input) => {
    const { authorization = [], usersecretkey = [], origin = [] } = readHeaderLines(input);
    const [scheme = '', ...words] = (authorization.length === 1 ? (authorization[0] ?? '') : '').split(' ');
    const sent = words.filter((word, index) => word !== '' || index === words.length - 1);
    const [text = ''] = sent;
    const isBearer = scheme.toLowerCase() === 'bearer' && sent.length === 1 && isToken68(text);
    if (!isBearer) return 'refused: authentication_required';
    if (text !== token) return 'refused: token_invalid';
    if (usersecretkey.length !== 1 || usersecretkey[0] !== secretKey) return 'refused: secret_key_invalid';
    const spelling = (origin.length === 1 ? (origin[0] ?? '') : '').toLowerCase();
    const isAllowed = spelling === allowedOrigin || spelling === `${allowedOrigin}:443`;
    return isAllowed ? `accepted: ${origin[0] ?? ''}` : 'refused: origin_not_allowed';
  },
};

/** RFC 9110, 11.2: letters, digits and six other characters, and then perhaps `=`. */
function isToken68(text: string): boolean {
  const value = text.replace(/=+$/, '');
  return (
    value !== '' &&
    Array.from(value).every((character) => /[A-Za-z0-9]/.test(character) || '-._~+/'.includes(character))
  );
}
