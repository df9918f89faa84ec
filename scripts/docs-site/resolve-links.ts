import { existsSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import type { LinkResolver } from './render-markdown.ts'
import type { Source } from './sources.ts'

export interface SiteLinks {
  /** Resolves the links of one page. */
  readonly resolverOf: (source: Source) => LinkResolver
  /** Pictures that pages show: their files in the repository. */
  readonly pictures: ReadonlySet<string>
  /** Links to files that do not exist, each as "page: target". */
  readonly problems: readonly string[]
}

/**
 * Turns links between files of the repository into links between pages of the site. All are relative, so the site works in any folder of a
 * server. Files of the repository that are not on the site, such as tests, have no link.
 */
export function createLinks(root: string, sources: readonly Source[]): SiteLinks {
  const pages = new Map(sources.map(({ path, page }) => [path, page]))
  const pictures = new Set<string>()
  const problems: string[] = []
  const resolverOf =
    ({ path, page }: Source): LinkResolver =>
    (target) => {
      if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target
      const [file = '', anchor] = target.split('#')
      const linked = normalize(join(dirname(path), file)).replace(/\/$/, '')
      const found = pages.get(linked) ?? pages.get(`${linked}/README.md`)
      if (found !== undefined)
        return `${relativePath(page, found)}${anchor === undefined ? '' : `#${anchor}`}`
      if (!existsSync(join(root, linked))) problems.push(`${path}: ${target}`)
      if (!/\.(?:webp|svg|png)$/.test(linked)) return undefined
      pictures.add(linked)
      return relativePath(page, picturePage(linked))
    }
  return { resolverOf, pictures, problems }
}

/** The path of a picture on the site. */
export const picturePage = (path: string) => path.replace(/^docs\//, '')

/** The path from a page to another. */
export function relativePath(from: string, to: string): string {
  return relative(dirname(from), to) || '.'
}

/** Links to anchors that their page does not have, each as "page: target". */
export function findDeadLinks(pages: ReadonlyMap<string, string>): readonly string[] {
  const anchors = new Map(
    [...pages].map(([page, html]) => [
      page,
      new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)),
    ]),
  )
  return [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/ href="([^"]+)"/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => {
        const [file = '', anchor] = target.split('#')
        const linked = file === '' ? page : normalize(join(dirname(page), file))
        if (!linked.endsWith('.html')) return false
        return !anchors.has(linked) || (anchor !== undefined && anchors.get(linked)?.has(anchor) !== true)
      })
      .map((target) => `${page}: ${target}`),
  )
}
