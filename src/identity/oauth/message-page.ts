import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { oauthStyles } from './page-styles.ts'

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
