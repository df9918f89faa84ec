import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { isScope, scopes } from '../scopes.ts'
import { oauthStyles } from './page-styles.ts'
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
