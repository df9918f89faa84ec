export const referenceStyles = `
body.wide { display: grid; grid-template-columns: 280px minmax(0, 1fr); min-height: 100vh; }
nav {
  border-right: 1px solid var(--line); padding: 24px 16px; background: var(--surface);
  position: sticky; top: 0; height: 100vh; overflow-y: auto;
}
nav ul, .fields { list-style: none; margin: 0; padding: 0; }
nav h2 { font-size: 13px; margin: 16px 0 4px; }
nav a { color: var(--text); text-decoration: none; display: block; padding: 2px 4px; border-radius: 4px; overflow-wrap: anywhere; }
nav li a { font: 12px/1.6 ui-monospace, Menlo, Consolas, monospace; color: var(--quiet); }
nav a.brand { display: flex; }
nav a:hover { color: var(--accent); }
main { padding: 24px 32px 64px; max-width: 880px; }
h4 { font-size: 13px; margin: 16px 0 4px; }
.operation { border: 1px solid var(--line); border-radius: 6px; background: var(--surface); margin: 0 0 8px; }
.operation > summary { padding: 8px 12px; cursor: pointer; overflow-wrap: anywhere; }
.operation:has(:target) { border-color: var(--accent); }
.inside { scroll-margin-top: 56px; border-top: 1px solid var(--line); padding: 12px; }
.method { display: inline-block; min-width: 48px; font: 600 12px/1.5 ui-monospace, Menlo, Consolas, monospace; color: var(--accent); }
nav .method { min-width: 44px; font-size: 11px; }
.method.delete { color: var(--wrong); }
.method.post, .method.put, .method.patch { color: var(--right); }
.about { color: var(--quiet); }
.fields .fields { margin-left: 16px; padding-left: 12px; border-left: 1px solid var(--line); }
.fields li { padding: 2px 0; }
.fields .about { display: block; }
.answer summary { cursor: pointer; padding: 2px 0; }
pre { background: var(--code); border-radius: 6px; padding: 8px 12px; overflow-x: auto; margin: 0; }
@media (max-width: 760px) {
  body.wide { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); }
  nav ul { display: none; }
  main { padding: 16px; }
}
`
