/** The style of the documentation page. */
export const DOCS_STYLE = `:root {
  color-scheme: light dark;
  --line: light-dark(#d8dce2, #3a3f47);
  --quiet: light-dark(#5a6472, #9aa4b2);
  --shade: light-dark(#f4f6f8, #20242a);
  --link: light-dark(#0b5cad, #7db7f0);
}
body {
  display: grid;
  grid-template-columns: 18rem minmax(0, 1fr);
  margin: 0;
  font: 15px/1.5 system-ui, sans-serif;
}
nav {
  position: sticky;
  top: 0;
  box-sizing: border-box;
  height: 100vh;
  overflow-y: auto;
  padding: 1rem;
  border-right: 1px solid var(--line);
  font-size: 13px;
}
nav > a { display: block; font-weight: 600; }
nav h2 { margin: 1rem 0 0.25rem; font-size: 13px; }
nav ul { margin: 0; padding: 0; list-style: none; }
main { max-width: 60rem; padding: 1rem 2rem 6rem; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
article { margin: 1.5rem 0; padding-top: 0.5rem; border-top: 1px solid var(--line); }
h3 { margin: 0.5rem 0; }
h4 { margin: 1rem 0 0.25rem; }
code, pre { font: 13px/1.5 ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.75rem; background: var(--shade); }
.call { padding: 0.5rem 0.75rem; background: var(--shade); overflow-wrap: anywhere; }
.roles, i { color: var(--quiet); font-style: normal; }
.fields { margin: 0.25rem 0; padding-left: 1rem; list-style: none; border-left: 2px solid var(--line); }
.fields li { margin: 0.2rem 0; overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: 3.5rem minmax(0, 1fr); margin: 0; }
dt { font-weight: 600; }
dd { margin: 0 0 0.5rem; }
dd p { margin: 0; }
summary { cursor: pointer; color: var(--quiet); }
@media (max-width: 48rem) {
  body { display: block; }
  nav { position: static; height: auto; border: 0; }
}
`;
