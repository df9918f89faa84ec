import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { isScope, scopes } from '../scopes.ts'
import { describeRedirectTarget } from './redirect-uris.ts'

export interface ConsentPage {
  readonly nonce: string
  /** The id of the interaction. */
  readonly uid: string
  readonly csrfToken: string
  readonly clientName: string
  /** The username of the account that registered the client. */
  readonly owner: string
  readonly redirectUri: string
  readonly username: string
  /** Requested scopes without consent. */
  readonly requested: readonly string[]
  /** Requested scopes with an earlier consent. */
  readonly allowed: readonly string[]
}

/** Every authorized application can read the profile of the account. */
const profile = 'See your username, e-mail address and roles'

/** The page that asks a user to authorize an application. It works without JavaScript. */
export function renderConsentPage(page: ConsentPage): string {
  const { nonce, uid, csrfToken, clientName, owner, redirectUri, username } = page
  const token = html`<input type="hidden" name="csrf_token" value="${csrfToken}">`
  return renderPage({
    title: `Allow ${clientName}?`,
    nonce,
    width: 'narrow',
    styles: oauthStyles,
    body: html`<main class="oauth">
<p class="brand">${brand}</p>
<div class="card">
<h1>Allow ${clientName} to use your account?</h1>
<p class="fine quiet">Registered by <strong>${owner}</strong>. You will be redirected to <strong>${describeRedirectTarget(redirectUri)}</strong>.</p>
${lists(page)}
<form class="choices" method="post" action="/oauth/consent/${uid}">
${token}
<button class="plain" type="submit" name="decision" value="deny">Deny</button>
<button type="submit" name="decision" value="approve">Allow</button>
</form>
</div>
<div class="account">
<span>Signed in as <strong>${username}</strong></span>
<span aria-hidden="true">·</span>
<form method="post" action="/oauth/consent/${uid}/another-account">${token}<button type="submit">Not you?</button></form>
</div>
</main>`,
  })
}

/** One list of the requested scopes; when some of them were allowed before, the new ones first in their own list. */
function lists({ requested, allowed }: ConsentPage): readonly Markup[] {
  const allowedBefore = [...allowed.map(describeScope), profile]
  if (requested.length === 0) return [list('It wants to', allowedBefore)]
  const added = requested.map(describeScope)
  if (allowed.length === 0) return [list('It wants to', [...added, profile])]
  return [list('It now also wants to', added), list('Already allowed', allowedBefore, 'quiet')]
}

function list(title: string, entries: readonly string[], look = ''): Markup {
  const items = entries.map((entry) => html`<li class="${look}">${tick}<span>${entry}</span></li>`)
  return html`<h2>${title}</h2>
<ul aria-label="${title}">${items}</ul>`
}

function describeScope(name: string): string {
  return isScope(name) ? scopes[name].about : name
}

const tick = html`<svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="2"
 stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M3 8.5l3.2 3.2L13 4.8"/></svg>`

export interface MessagePage {
  readonly nonce: string
  readonly title: string
  readonly text: string
  /** The technical reason, for the developer of the application. */
  readonly detail?: string
}

/** The page that says why an authorization failed. It never redirects to the application. */
export function renderMessagePage({ nonce, title, text, detail }: MessagePage): string {
  return renderPage({
    title,
    nonce,
    width: 'narrow',
    styles: oauthStyles,
    body: frame(html`<h1>${title}</h1>
<p>${text}</p>
${detail === undefined ? undefined : html`<p class="fine quiet">For the developer: ${detail}</p>`}`),
  })
}

/**
 * Redirects without JavaScript. The form-action policy of the sign-in page blocks a redirect to another site; an
 * intermediate page is not subject to it.
 */
export function renderContinuePage({ nonce, url }: { readonly nonce: string; readonly url: string }): string {
  return renderPage({
    title: 'One moment',
    nonce,
    width: 'narrow',
    styles: oauthStyles,
    body: frame(html`<meta http-equiv="refresh" content="0;url=${url}">
<h1>One moment</h1>
<p>You are signed in. <a href="${url}">Continue</a></p>`),
  })
}

function frame(content: Markup): Markup {
  return html`<main class="oauth">
<p class="brand">${brand}</p>
<div class="card">
${content}
</div>
</main>`
}

/** The styles of the consent page and the message page. */
const oauthStyles = `
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
