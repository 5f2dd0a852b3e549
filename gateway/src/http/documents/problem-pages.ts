import { pageTexts } from '../../messages/page-texts.ts';
import { problemTable } from '../answer/problem-table.ts';
import { escapeHtml, formatText, renderPage } from './page.ts';
import type { PublicDocument } from './public-document.ts';

/** Returns the pages that the `type` of each problem refers to. */
export function problemPages(): readonly PublicDocument[] {
  return problemTable.map(({ code, name, status, texts }) => ({
    path: `/problems/${name}`,
    render: (language) => {
      const { title, meaning, remedy } = texts[language];
      const labels = pageTexts[language];
      return renderPage({
        language,
        title,
        main: `<h1>${escapeHtml(title)}</h1>
<p class="facts">${labels.status} ${String(status)} · ${labels.code} <code>${code}</code></p>
<h2>${labels.meaning}</h2>
<p>${formatText(meaning)}</p>
<h2>${labels.remedy}</h2>
<p>${formatText(remedy)}</p>`,
      });
    },
  }));
}
