import { languages } from '../../messages/messages.ts';

/** The patterns of header values, as HTTP delivers them: without white space at either end. */
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
export const userAgentPattern = new RegExp(`^${token}/${token}(?:[ \\t][\\t\\x20-\\x7e\\x80-\\xff]*)?$`);
export const idempotencyKeyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;
/** Refuses control, format, private and unassigned characters, and blank text. The `u` flag counts code points. */
export const technologyPattern = /^(?=.*[^\p{Z}])[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u;

/** The ASCII values of `technologyPattern`. Many tools for OpenAPI support no Unicode classes. */
export const asciiTechnologyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,62}[\x21-\x7e])?$/;

const spoken = languages.join('|');
const range = '(?:\\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)';
/** Common values of Accept-Language. `read-language.ts` understands more: other letter cases and all weights. */
export const commonLanguagesPattern = new RegExp(
  `^(?:\\*|(?:${spoken})(?:-[A-Za-z0-9]{1,8})*)(?:, ?${range}(?:;q=(?:0\\.[1-9]|1))?)*$`,
);
