import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import type { BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApiDocument } from '#kernel/http'
import { type BuiltSite, buildSite } from '../../scripts/docs-site/build-site.ts'
import { publishSite } from '../../scripts/docs-site/versions.ts'
import { version } from '../../src/app/version.ts'
import { openBrowser, type TestBrowser } from '../support/browser.ts'
import { quickFolder } from '../support/quick-folder.ts'
import { sharePlatform } from '../support/shared-platform.ts'
import { findColourViolations, findViolations } from './find-violations.ts'
import { readSidewaysScroll } from './in-page.ts'

const root = new URL('../../', import.meta.url).pathname
/** The sites are served below a path, as on a server with other content. */
const base = '/manual'

let folder: string
let site: string
let document: OpenApiDocument
let built: BuiltSite
let browser: TestBrowser
let server: { readonly url: string } & AsyncDisposable

beforeAll(async () => {
  folder = await mkdtemp(join(await quickFolder(), 'tutti-docs-'))
  const sites = join(folder, 'sites')
  site = join(sites, version)
  const platform = await sharePlatform()
  document = (await (await fetch(`${platform.url}/openapi.json`)).json()) as OpenApiDocument
  built = await publishSite(root, sites, { version, document })
  server = await serve(sites)
  browser = await openBrowser()
})
afterAll(async () => {
  await browser?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
}

async function serve(files: string): Promise<{ readonly url: string } & AsyncDisposable> {
  const listening = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site.invalid')
    const path = pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : '/missing'
    readFile(join(files, path.endsWith('/') ? `${path}index.html` : path)).then(
      (content) =>
        response.writeHead(200, { 'content-type': types[extname(path)] ?? 'text/html' }).end(content),
      () => response.writeHead(404).end(),
    )
  }).listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${base}`,
    async [Symbol.asyncDispose]() {
      listening.close()
      listening.closeAllConnections()
      await once(listening, 'close')
    },
  }
}

async function visit(path: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('response', (response) => {
    if (response.status() !== 200) complaints.push(`${response.status()} ${response.url()}`)
  })
  page.on('request', (request) => {
    if (!request.url().startsWith(server.url)) complaints.push(`request to ${request.url()}`)
  })
  await page.goto(`${server.url}/${version}/${path}`)
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

describe('the files', () => {
  test('are a page for each guide and each API, and the same text as Markdown', async () => {
    expect(built.pages).toBeGreaterThan(50)
    expect(built.searchEntries).toBeGreaterThan(500)
    const page = await readFile(join(site, 'guides/models.html'), 'utf8')
    expect(page).toContain(`Version ${version}`)
    expect(page).toContain('href="cluster.html"')
    expect(page).not.toMatch(/href="[^"]*\.md"/)
    expect(await readFile(join(site, 'guides/models.md'), 'utf8')).toBe(
      await readFile(join(root, 'docs/guides/models.md'), 'utf8'),
    )
  })

  test('have every operation of the platform', async () => {
    const tags = (document.tags ?? []).map(({ name }) => name)
    const pages = await Promise.all(
      tags.map((tag) => readFile(join(site, `reference/api/${tag}.html`), 'utf8').catch(() => '')),
    )
    const documented = Object.entries(document.paths).flatMap(([path, item]) =>
      ['get', 'post', 'put', 'patch', 'delete'].flatMap((method) => (method in (item ?? {}) ? [path] : [])),
    )
    const shown = pages.join('').match(/<details class="operation">/g) ?? []
    expect(documented.length).toBeGreaterThan(200)
    expect(shown).toHaveLength(documented.length)
  })

  test('list all pages for language models, with links that exist', async () => {
    const list = await readFile(join(site, 'llms.txt'), 'utf8')
    expect(list).toMatch(/^# Tutti .*\n\n> Tutti is a self-hosted AI platform/)
    const links = [...list.matchAll(/^- \[[^\]]+\]\(([^)]+)\): ./gm)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThan(40)
    const text = await readFile(join(site, 'llms-full.txt'), 'utf8')
    for (const link of links) expect(text).toContain((await readFile(join(site, link), 'utf8')).trim())
  })

  test.each([
    ['a page that does not exist', '[gone](gone.md)', 'docs/guides/mcp.md: gone.md'],
    ['a heading that does not exist', '[gone](models.md#gone)', 'guides/mcp.html: models.html#gone'],
  ])('are refused with a link to %s', async (_, link, problem) => {
    const copy = join(folder, 'copy')
    for (const part of [
      'docs',
      'README.md',
      'CHANGELOG.md',
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'SECURITY.md',
    ])
      await cp(join(root, part), join(copy, part), { recursive: true })
    await cp(join(root, 'sdk/typescript/README.md'), join(copy, 'sdk/typescript/README.md'))
    await cp(join(root, 'sdk/python/README.md'), join(copy, 'sdk/python/README.md'))
    await writeFile(join(copy, 'docs/guides/mcp.md'), `# MCP\n\nA text with a ${link}.\n`)
    await expect(buildSite(copy, join(folder, 'refused'), { version, document })).rejects.toThrow(
      `\n${problem}`,
    )
  })
})

describe('the site', () => {
  test('finds a setting and a heading, and opens the result', async () => {
    await using opened = await visit('guides/getting-started.html')
    const { page, complaints } = opened
    await page.keyboard.press('/')
    await page.keyboard.type('budgets of api keys')
    const result = page.locator('#results a').first()
    await result.waitFor()
    await page.keyboard.press('ArrowDown')
    const target = await result.getAttribute('href')
    await page.keyboard.press('Enter')
    await page.waitForURL(new URL(target ?? '', page.url()).href)
    expect(await page.locator('main h1').count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('remembers the colours that a reader chose', async () => {
    await using opened = await visit('index.html', { colorScheme: 'light' })
    const { page, complaints } = opened
    const ground = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const light = await ground()
    await page.getByRole('button', { name: 'Switch between light and dark' }).click()
    const dark = await ground()
    expect(dark).not.toBe(light)
    await page.goto(`${server.url}/${version}/guides/models.html`)
    expect(await ground()).toBe(dark)
    expect(complaints).toEqual([])
  })

  test.each(['', 'guides/models.html', 'reference/api/openai.html'])(
    'is accessible, in light and dark, and fits a telephone: /%s',
    async (path) => {
      await using wide = await visit(path, { colorScheme: 'light' })
      expect(await findViolations(wide.page)).toEqual([])
      await wide.page.emulateMedia({ colorScheme: 'dark' })
      expect(await findColourViolations(wide.page)).toEqual([])
      await using narrow = await visit(path, { viewport: { width: 390, height: 844 } })
      expect(await readSidewaysScroll(narrow.page)).toBe(0)
      await narrow.page.getByText('Menu', { exact: true }).click()
      expect(await findViolations(narrow.page)).toEqual([])
      expect([...wide.complaints, ...narrow.complaints]).toEqual([])
    },
  )
})

async function readVersions(): Promise<unknown> {
  return JSON.parse(await readFile(join(site, '../versions.json'), 'utf8'))
}

/** Writes pages of another version beside the site. */
async function addVersion(name: string, pages: readonly string[]): Promise<void> {
  for (const page of pages) {
    const target = join(site, '..', name, page)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, `<!doctype html><title>${name} ${page}</title>`)
  }
}

describe('versions', () => {
  test('one version alone has no switcher, and the folder leads to it', async () => {
    expect(await readVersions()).toEqual({ latest: version, versions: [version] })
    await using opened = await visit('guides/models.html')
    const { page, complaints } = opened
    await page.waitForLoadState('networkidle')
    expect(await page.getByRole('combobox', { name: 'Version' }).isHidden()).toBe(true)
    await page.goto(`${server.url}/`)
    await page.waitForURL(`${server.url}/${version}/index.html`)
    expect(complaints).toEqual([])
  })

  test('a site is built beside those of other versions, which every page then offers', async () => {
    await addVersion('0.0.9', ['index.html'])
    await addVersion('0.0.10', ['index.html', 'guides/models.html'])
    await addVersion('99.0.0-rc.2', ['index.html'])
    await addVersion('99.0.0-alpha.10', ['index.html'])
    await addVersion('drafts', ['index.html'])
    await publishSite(root, join(site, '..'), { version, document })
    const versions = ['99.0.0-rc.2', '99.0.0-alpha.10', version, '0.0.10', '0.0.9']
    expect(await readVersions()).toEqual({ latest: version, versions })
    expect(await readFile(join(site, '../llms.txt'), 'utf8')).toContain(`](${version}/guides/models.md): `)

    await using opened = await visit('guides/models.html')
    const { page, complaints } = opened
    const choice = page.getByRole('combobox', { name: 'Version' })
    await choice.waitFor()
    expect(await choice.inputValue()).toBe(version)
    expect(await choice.locator('option').allTextContents()).toEqual(
      versions.map((name) => (name === version ? `${name} (latest)` : name)),
    )
    expect(await findViolations(page)).toEqual([])
    await choice.selectOption('0.0.10')
    await page.waitForURL(`${server.url}/0.0.10/guides/models.html`)
    expect(complaints).toEqual([])

    await page.goBack()
    await choice.waitFor()
    await choice.selectOption('0.0.9')
    // That version has no such page.
    await page.waitForURL(`${server.url}/0.0.9/index.html`)
  })
})
