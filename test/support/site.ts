import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A small third-party site on its own origin. */
export interface Site extends AsyncDisposable {
  readonly url: string
}

export interface SiteOptions {
  /** The platform whose player the pages embed. */
  readonly platformUrl: string
  /** The body of the page at a path, before the player's tag; undefined responds 404. */
  readonly page: (path: string) => SitePage | undefined
  /** Replaces the content security policy of the site. */
  readonly policy?: string
}

export interface SitePage {
  readonly title: string
  readonly body: string
  /** More attributes of the player's tag; null omits the tag. */
  readonly tag?: string | null
  /** Attributes of the html element. */
  readonly html?: string
  /** A script of the site, served from a file as its policy requires. */
  readonly script?: string
  /** Its style sheet. */
  readonly styles?: string
}

/** The strictest policy that allows tours: its own files and the platform, nothing inline, and no text as markup. */
export function strictPolicy(platformUrl: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${platformUrl}`,
    "style-src 'self'",
    'img-src data:',
    `connect-src ${platformUrl}`,
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${platformUrl}`,
    "require-trusted-types-for 'script'",
    'trusted-types dompurify',
  ].join('; ')
}

/** Serves the pages: `await using site = await openSite({ platformUrl, page })`. */
export async function openSite({ platformUrl, page, policy }: SiteOptions): Promise<Site> {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid')
    const [, folder = '', ending] = /^(.*?)(?:\/_site\.(js|css))?$/.exec(pathname) ?? []
    const found = page(folder === '' ? '/' : folder)
    if (found === undefined) {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>Nothing here</h1>')
      return
    }
    const kind = { js: 'text/javascript', css: 'text/css' }[ending ?? ''] ?? 'text/html; charset=utf-8'
    response.setHeader('content-type', kind)
    response.setHeader('cache-control', 'no-store')
    response.setHeader('content-security-policy', policy ?? strictPolicy(platformUrl))
    if (ending === 'js') response.end(found.script ?? '')
    else if (ending === 'css') response.end(found.styles ?? '')
    else response.end(write(found, folder, platformUrl))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function write(
  { title, body, tag, html = 'lang="en"', script, styles }: SitePage,
  folder: string,
  platformUrl: string,
) {
  const at = (name: string) => `${folder === '/' ? '' : folder}/${name}`
  return `<!doctype html>
<html ${html}>
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
<link rel="icon" href="data:,">
${styles === undefined ? '' : `<link rel="stylesheet" href="${at('_site.css')}">`}
${script === undefined ? '' : `<script src="${at('_site.js')}" defer></script>`}
${tag === null ? '' : `<script src="${platformUrl}/tours/player.js" defer ${tag ?? ''}></script>`}
</head>
<body>${body}</body>
</html>`
}
