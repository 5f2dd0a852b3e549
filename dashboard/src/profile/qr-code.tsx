import { encode } from 'uqr';

/** A picture that authenticator apps scan. Black on white in the dark mode too: many cameras need that. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.map((row, y) => rowPath(row, y)).join('');
  return (
    <svg viewBox={`0 0 ${size} ${size}`} width="240" height="240" role="img" aria-label={label}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** One rectangle for each run of black squares. */
function rowPath(row: readonly boolean[], y: number): string {
  const squares = row.map((isBlack) => (isBlack ? '1' : '0')).join('');
  return [...squares.matchAll(/1+/g)]
    .map(({ index, 0: { length } }) => `M${index} ${y}h${length}v1h-${length}z`)
    .join('');
}
