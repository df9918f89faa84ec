/** The styles of the consent page and the message page. */
export const oauthStyles = `
body.narrow { align-items: start; padding-top: max(16px, 10vh); }
body.narrow main { max-width: 420px; }
.oauth .brand { justify-content: center; gap: 6px; margin: 0 0 20px; }
.oauth .card { padding: 28px; }
.oauth h1 { margin: 0 0 12px; overflow-wrap: anywhere; }
.oauth h2 { font-size: 13px; margin: 20px 0 8px; }
.oauth ul { list-style: none; margin: 0; padding: 0; }
.oauth li { display: flex; gap: 10px; align-items: flex-start; padding: 6px 0; }
.oauth li svg { flex: none; margin-top: 3px; color: var(--right); }
.oauth li.quiet svg { color: var(--quiet); }
.oauth .fine { font-size: 13px; margin: 0; overflow-wrap: anywhere; }
.oauth .choices { display: flex; gap: 12px; margin: 24px 0 0; }
.oauth .choices button { height: 40px; }
.oauth .plain {
  color: var(--text); background: var(--surface); border: 1px solid var(--line-strong);
}
.oauth .account {
  display: flex; flex-wrap: wrap; gap: 4px 8px; justify-content: center; align-items: baseline;
  margin: 16px 0 0; font-size: 13px; color: var(--quiet); overflow-wrap: anywhere;
}
.oauth .account form { display: inline; }
.oauth .account button {
  width: auto; height: auto; padding: 0; font: inherit; background: none; color: var(--accent);
  text-decoration: underline; border-radius: 2px;
}
.oauth .account strong { color: var(--text); font-weight: 600; }
@media (max-width: 400px) { .oauth .card { padding: 20px; } .oauth .choices { gap: 8px; } }
`
