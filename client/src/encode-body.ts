export function encodeBody(format: 'json' | 'xml', jobIds: readonly string[]): string {
  if (format === 'json') return JSON.stringify({ jobs: { job: jobIds.map((id) => ({ id })) } });
  const jobs = jobIds.map((id) => `<job><id>${escapeXml(id)}</id></job>`).join('');
  return `<?xml version="1.0" encoding="UTF-8"?><jobs>${jobs}</jobs>`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
