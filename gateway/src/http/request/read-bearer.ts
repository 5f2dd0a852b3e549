/** RFC 6750, 2.1, with the scheme in any letter case as RFC 9110, 11.1 has it. */
const credentials = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

/** @param values the `authorization` of `headersDistinct`; more than one header is as good as none */
export function readBearer(values: string[] | undefined): { readonly token: string } | 'missing' {
  if (values?.length !== 1) return 'missing';
  const token = credentials.exec(values[0] ?? '')?.[1];
  return token === undefined ? 'missing' : { token };
}
