import { strToU8, zipSync } from 'fflate';

/** Returns the parts of a workbook in XLSX that has one sheet with these rows, in XML. */
export function workbookParts(rows: string): Readonly<Record<string, Uint8Array>> {
  const types = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const main = 'xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${types}/${type}" Target="${target}"/>`;
  const relations = [
    relation('rId1', 'worksheet', 'worksheets/sheet1.xml'),
    relation('rId2', 'sharedStrings', 'sharedStrings.xml'),
    relation('rId3', 'styles', 'styles.xml'),
  ];
  return {
    'xl/workbook.xml': strToU8(
      `<workbook ${main} xmlns:r="${types}"><sheets><sheet name="Jobs" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(`<Relationships>${relations.join('')}</Relationships>`),
    'xl/sharedStrings.xml': strToU8('<sst/>'),
    'xl/styles.xml': strToU8('<styleSheet/>'),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet ${main}><sheetData>${rows}</sheetData></worksheet>`),
  };
}

export function packWorkbook(rows: string): Uint8Array {
  return zipSync(workbookParts(rows));
}

/** Returns a row, in XML, with a cell for each text. */
export function textRow(...texts: readonly string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
}
