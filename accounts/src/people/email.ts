/**
 * Returns the address as it is stored: trimmed and in lower case. Undefined for a text that is no address. Accepts any
 * address that may exist: only a message to it shows whether it does.
 */
export function parseEmail(text: string): string | undefined {
  const email = text.trim().normalize('NFC').toLowerCase();
  return email.length <= maxLength && pattern.test(email) ? email : undefined;
}

/** The limit of SMTP (RFC 5321, 4.5.3.1.3), without the angle brackets. */
const maxLength = 254;

/** One `@` between two parts without spaces and without control, invisible or unassigned characters. */
const pattern = /^[^\p{C}\p{Z}@]+@[^\p{C}\p{Z}@]+$/u;
