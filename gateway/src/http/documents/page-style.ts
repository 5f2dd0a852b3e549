/** The style of every public page: one column, from 360 px to wide screens, in light and dark. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --text: #1c2024;
  --muted: #5a626b;
  --back: #fff;
  --panel: #f2f4f6;
  --line: #d5dade;
  --link: #0b57b3;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e9ec;
    --muted: #a3abb3;
    --back: #15181b;
    --panel: #22272c;
    --line: #3a4148;
    --link: #8ab8f5;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0;
  background: var(--back);
  color: var(--text);
  font: 1rem/1.6 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
main { max-width: 46rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.15rem; margin: 2rem 0 0.5rem; }
p { margin: 0 0 0.75rem; }
a { color: var(--link); }
code { background: var(--panel); border-radius: 4px; padding: 0.1em 0.3em; font: 0.9em ui-monospace, monospace; }
.facts { color: var(--muted); border-bottom: 1px solid var(--line); padding-bottom: 1rem; }
`;
