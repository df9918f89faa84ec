import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import MiniSearch from 'minisearch'
import { rolldown } from 'rolldown'
import type { OpenApiDocument } from '#kernel/http'
import { operationStyles } from '../../src/app/reference-page.ts'
import { renderApiPages } from './api-pages.ts'
import { type NavigationEntry, type PageContents, renderSitePage } from './layout.ts'
import { markdownPage, writeLlmsList, writeLlmsText } from './llms.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createLinks, findDeadLinks, picturePage } from './resolve-links.ts'
import { type SearchEntry, searchOptions } from './search-fields.ts'
import { readSources, type Source } from './sources.ts'

export interface SiteOptions {
  readonly version: string
  /** The description of all operations. */
  readonly document: OpenApiDocument
}

export interface BuiltSite {
  readonly pages: number
  readonly searchEntries: number
}

/**
 * Builds the documentation as static files in a folder, which is emptied first. Throws with the list of links that lead to no page, no
 * heading or no file.
 */
export async function buildSite(
  root: string,
  folder: string,
  { version, document }: SiteOptions,
): Promise<BuiltSite> {
  const sources = await readSources(root)
  const links = createLinks(root, sources)
  const articles = sources.map((source) => renderArticle(source, links.resolverOf(source)))
  const apiPages = renderApiPages(document)
  const navigation: NavigationEntry[] = [
    ...sources,
    ...apiPages.map(({ page, title }) => ({ page, title, section: 'API' })),
  ]
  const pages = new Map(
    [...articles, ...apiPages].map((contents) => [
      contents.page,
      renderSitePage(contents, { version, navigation }),
    ]),
  )
  const problems = [...links.problems, ...findDeadLinks(pages)]
  if (problems.length > 0) throw new Error(`Links of the documentation lead nowhere:\n${problems.join('\n')}`)
  const entries = [...articles, ...apiPages].flatMap((contents) => contents.entries)
  await rm(folder, { recursive: true, force: true })
  await writeFiles(folder, [
    ...pages,
    ...sources.map(({ page, text }) => [markdownPage(page), text] as const),
    ['search-index.json', writeIndex(entries)],
    ['llms.txt', writeLlmsList(sources, version)],
    ['llms-full.txt', writeLlmsText(sources, version)],
    ['site.css', `${await readFile(join(import.meta.dirname, 'client/site.css'), 'utf8')}${operationStyles}`],
  ])
  for (const picture of links.pictures) await copyInto(folder, join(root, picture), picturePage(picture))
  await copyInto(folder, join(root, 'console/public/favicon.svg'), 'favicon.svg')
  await bundleScript(folder)
  return { pages: pages.size, searchEntries: entries.length }
}

interface Article extends PageContents {
  readonly entries: readonly SearchEntry[]
}

function renderArticle(source: Source, resolveLink: (target: string) => string | undefined): Article {
  const { page, title, summary, text } = source
  const { html, headings } = renderMarkdown(text, resolveLink)
  const entries = headings.map(({ id, text: heading, body }) => ({
    id: `${page}#${id}`,
    target: `${page}#${id}`,
    page: title,
    title: heading,
    text: body,
  }))
  const contents = headings.filter(({ level }) => level === 2)
  return { page, title, summary, body: html, contents, entries }
}

function writeIndex(entries: readonly SearchEntry[]): string {
  const index = new MiniSearch(searchOptions)
  index.addAll(entries)
  return JSON.stringify(index)
}

async function writeFiles(folder: string, files: Iterable<readonly [string, string]>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function copyInto(folder: string, from: string, to: string): Promise<void> {
  await mkdir(dirname(join(folder, to)), { recursive: true })
  await copyFile(from, join(folder, to))
}

async function bundleScript(folder: string): Promise<void> {
  const built = await rolldown({
    cwd: import.meta.dirname,
    input: { site: 'client/site.ts' },
    platform: 'browser',
  })
  try {
    await built.write({ dir: folder, format: 'iife', entryFileNames: '[name].js', minify: true })
  } finally {
    await built.close()
  }
}
