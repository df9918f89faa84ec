import { brand, html } from '#kernel/pages'
import { Markup } from '../../src/kernel/pages/html.ts'
import { relativePath } from './resolve-links.ts'

export interface NavigationEntry {
  readonly page: string
  readonly section: string
  readonly title: string
}

export interface PageContents {
  readonly page: string
  readonly title: string
  readonly summary: string
  /** The article, which starts with its heading. */
  readonly body: string
  readonly contents: readonly { readonly id: string; readonly text: string }[]
}

export interface SiteFrame {
  readonly version: string
  readonly navigation: readonly NavigationEntry[]
}

/** Nothing comes from another server, and no script or style is in the page itself. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** A page of the site with header, navigation and contents. */
export function renderSitePage(contents: PageContents, { version, navigation }: SiteFrame): string {
  const to = (target: string) => relativePath(contents.page, target)
  const root = relativePath(contents.page, '.')
  const position = navigation.findIndex(({ page }) => page === contents.page)
  const [previous, next] = [navigation[position - 1], navigation[position + 1]]
  const sections = Map.groupBy(navigation, ({ section }) => section)
  const list = [...sections].map(
    ([section, entries]) => html`<h2>${section}</h2>
<ul>${entries.map(
      ({ page, title }) =>
        html`<li><a href="${to(page)}"${page === contents.page && html` aria-current="page"`}>${title}</a></li>`,
    )}</ul>`,
  )
  return html`<!doctype html>
<html lang="en" data-root="${root}" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="description" content="${contents.summary}">
<title>${contents.title}${contents.page !== 'index.html' && ' · Tutti'}</title>
<link rel="icon" href="${to('favicon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${to('site.css')}">
<script src="${to('site.js')}"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${to('index.html')}" aria-label="Tutti, start page">${brand}</a>
<a class="version" href="${to('project/changelog.html')}">Version ${version}</a>
<select id="versions" aria-label="Version" hidden></select>
<div id="search-box" role="search" hidden>
<input id="search" type="search" placeholder="Search  /" aria-label="Search the documentation" autocomplete="off">
<div id="results" hidden><p role="status"></p><ul></ul></div>
</div>
<button id="colours" type="button" aria-label="Switch between light and dark" hidden>◐</button>
</header>
<details class="menu"><summary>Menu</summary><nav aria-label="Pages, small screen">${list}</nav></details>
<div class="columns">
<nav class="side" aria-label="Pages">${list}</nav>
<main id="content" tabindex="-1">
${new Markup(contents.body)}
<nav class="steps" aria-label="Previous and next page">
${previous !== undefined && html`<a href="${to(previous.page)}">← ${previous.title}</a>`}
${next !== undefined && html`<a class="next" href="${to(next.page)}">${next.title} →</a>`}
</nav>
</main>
${
  contents.contents.length > 1 &&
  html`<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${contents.contents.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`
}
</div>
</body>
</html>
`.toString()
}
