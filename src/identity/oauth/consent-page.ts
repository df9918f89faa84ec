import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { isScope, scopes } from '../scopes.ts'
import { oauthStyles } from './pages.ts'
import { placeOf } from './redirect-uris.ts'

export interface ConsentPage {
  readonly nonce: string
  /** Names this one question. */
  readonly uid: string
  readonly csrfToken: string
  readonly clientName: string
  /** Whoever registered the client. */
  readonly owner: string
  readonly redirectUri: string
  readonly username: string
  /** What it asks for and has not got yet. */
  readonly wanted: readonly string[]
  /** What it asks for and was allowed before. */
  readonly allowed: readonly string[]
}

/** Every application that is let in can read the profile of whoever lets it in. */
const profile = 'See your username, e-mail address and roles'

/** Asks a person whether an application may use their account. It needs no script. */
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
<p class="fine quiet">Registered by <strong>${owner}</strong>. You will be sent to <strong>${placeOf(redirectUri)}</strong>.</p>
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

/** One list for what is asked; when only some of it is new, the new first and by itself. */
function lists({ wanted, allowed }: ConsentPage): readonly Markup[] {
  const known = [...allowed.map(describeScope), profile]
  if (wanted.length === 0) return [list('It wants to', known)]
  const asked = wanted.map(describeScope)
  if (allowed.length === 0) return [list('It wants to', [...asked, profile])]
  return [list('It now also wants to', asked), list('You already let it', known, 'quiet')]
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
