import { brand, html, renderPage } from '#kernel/pages'

export interface SignInPage {
  readonly nonce: string
  readonly destination: string
  /** Filled in again after a mistake. */
  readonly username?: string
  /** What went wrong, as a sentence. */
  readonly problem?: string
}

const styles = `
body.narrow { align-items: start; padding-top: max(16px, 16vh); }
.sign-in .brand { justify-content: center; gap: 6px; margin: 0 0 20px; }
.sign-in .card { padding: 28px 28px 32px; }
.sign-in h1 { margin: 0 0 20px; }
.sign-in input, .sign-in button { height: 40px; }
.sign-in input { border-color: var(--line-strong); }
.sign-in button { margin-top: 8px; }
.sign-in .alert {
  display: flex; gap: 10px; align-items: flex-start; padding: 10px 12px; color: var(--text);
  border-color: color-mix(in srgb, var(--wrong), transparent 55%);
  background: color-mix(in srgb, var(--wrong), transparent 92%);
}
.sign-in .alert svg { flex: none; margin-top: 3px; color: var(--wrong); }
@media (max-width: 400px) { .sign-in .card { padding: 20px; } }
`

/** The form to sign in with. It needs no script. */
export function renderSignInPage({ nonce, destination, username = '', problem }: SignInPage): string {
  const nameKnown = username !== ''
  const described = problem === undefined ? undefined : html` aria-describedby="problem"`
  return renderPage({
    title: 'Sign in',
    nonce,
    width: 'narrow',
    styles,
    body: html`<main class="sign-in">
<p class="brand">${brand}</p>
<form class="card" method="post" action="/user/login">
<h1>Sign in</h1>
${problem === undefined ? undefined : html`<p class="alert" id="problem" role="alert">${warning}<span>${problem}</span></p>`}
<input type="hidden" name="destination" value="${destination}">
<label for="username">Username</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none"
 autocorrect="off" spellcheck="false" maxlength="256" required${described}${nameKnown ? undefined : html` autofocus`}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024"
 required${described}${nameKnown ? html` autofocus` : undefined}>
<button type="submit">Sign in</button>
</form>
</main>`,
  })
}

const warning = html`<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5"
 stroke-linecap="round" aria-hidden="true"><circle cx="8" cy="8" r="6.5"/><path d="M8 4.8v3.8M8 11.2v.1"/></svg>`
