import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** A page of the site, from a Markdown file of the repository. */
export interface Source {
  /** The file in the repository. */
  readonly path: string
  /** The page on the site. */
  readonly page: string
  readonly section: string
  readonly title: string
  /** Its first paragraph, without marks. */
  readonly summary: string
  readonly text: string
}

interface Section {
  readonly name: string
  /** Files, or a pattern of files, and the folder of their pages. */
  readonly files: readonly string[]
  readonly pageOf: (path: string) => string
}

const inFolder = (folder: string) => (path: string) => `${folder}${basename(path, '.md')}.html`

/** The guides that a reader needs first, in this order; the others follow by name. */
const firstGuides = [
  'getting-started',
  'models',
  'connect-clients',
  'cluster',
  'build-flows',
  'run-flows',
  'agents',
]

const sections: readonly Section[] = [
  { name: 'Start', files: ['README.md'], pageOf: () => 'index.html' },
  { name: 'Guides', files: ['docs/guides/*.md'], pageOf: inFolder('guides/') },
  {
    name: 'Clients',
    files: ['sdk/typescript/README.md', 'sdk/python/README.md'],
    pageOf: (path) => `clients/${path.split('/')[1]}.html`,
  },
  { name: 'Reference', files: ['docs/reference/*.md', 'docs/security/*.md'], pageOf: inFolder('reference/') },
  { name: 'Decisions', files: ['docs/decisions/*.md'], pageOf: inFolder('decisions/') },
  {
    name: 'Project',
    files: ['CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md'],
    pageOf: (path) => inFolder('project/')(path).toLowerCase(),
  },
]

/** Reads the Markdown files of the site in the order of its navigation. Throws for a file without a title. */
export async function readSources(root: string): Promise<readonly Source[]> {
  const sources: Source[] = []
  for (const { name, files, pageOf } of sections) {
    const paths = files.flatMap((pattern) => globSync(pattern, { cwd: root }).sort(byImportance))
    for (const path of paths) {
      const text = await readFile(join(root, path), 'utf8')
      const title = /^# (.+)$/m.exec(text)?.[1]
      if (title === undefined) throw new Error(`${path} has no title`)
      sources.push({ path, page: pageOf(path), section: name, title, summary: summaryOf(text), text })
    }
  }
  return sources
}

const rank = (path: string) => firstGuides.indexOf(basename(path, '.md')) + 1 || firstGuides.length + 1

function byImportance(one: string, other: string): number {
  return rank(one) - rank(other) || (one < other ? -1 : 1)
}

function summaryOf(text: string): string {
  const paragraph = /^[A-Z][^\n]*(?:\n[^\n#<`|-][^\n]*)*/m.exec(text.replace(/^# .*$/m, ''))?.[0] ?? ''
  return paragraph
    .replaceAll('\n', ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, '$1')
    .trim()
}
