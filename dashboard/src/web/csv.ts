export { csvLine } from '@jobs-delete/runtime/text/csv-line';

export const csvMediaType = 'text/csv; charset=utf-8';
