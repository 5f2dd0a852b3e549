/** The name of an account or a credential: for people only, printable in a terminal, never looked up by. */
export function isDisplayName(text: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u.test(text) && text.trim() !== '';
}
