/** Returns a table in Markdown. */
export function table(heads: readonly string[], rows: readonly string[]): string {
  return [row(heads), row(heads.map(() => '---')), ...rows, ''].join('\n');
}

export function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}
