import { brand, html, type Markup, renderPage } from '#kernel/pages'
import { oauthStyles } from './pages.ts'

export interface MessagePage {
  readonly nonce: string
  readonly title: string
  readonly text: string
  /** What a developer looks for in it. */
  readonly detail?: string
}

/** Tells a person why an authorization does not go on. Nobody is sent anywhere from here. */
export function renderMessagePage({ nonce, title, text, detail }: MessagePage): string {
  return renderPage({
    title,
    nonce,
    width: 'narrow',
    styles: oauthStyles,
    body: frame(html`<h1>${title}</h1>
<p>${text}</p>
${detail === undefined ? undefined : html`<p class="fine quiet">For its developer: ${detail}</p>`}`),
  })
}

/** Goes on by itself, without a script. A form must not end at another site, and a page in between is no form. */
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
