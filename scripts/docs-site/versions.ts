import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { html } from '#kernel/pages'
import { type BuiltSite, buildSite, type SiteOptions } from './build-site.ts'
import type { VersionList } from './version-list.ts'

/**
 * Builds the site of a version into a folder of its own, beside those of other versions, and lists them all in `versions.json`. The
 * folder that contains them leads to the latest one.
 */
export async function publishSite(root: string, folder: string, options: SiteOptions): Promise<BuiltSite> {
  await mkdir(folder, { recursive: true })
  const built = await buildSite(root, join(folder, options.version), options)
  const list = await findVersions(folder)
  const { latest } = list
  await writeFile(join(folder, 'versions.json'), `${JSON.stringify(list)}\n`)
  await writeFile(join(folder, 'index.html'), leadTo(latest))
  const read = (file: string) => readFile(join(folder, latest, file), 'utf8')
  await writeFile(
    join(folder, 'llms.txt'),
    (await read('llms.txt')).replaceAll(/^(- \[.*?\]\()/gm, `$1${latest}/`),
  )
  await writeFile(join(folder, 'llms-full.txt'), await read('llms-full.txt'))
  return built
}

async function findVersions(folder: string): Promise<VersionList> {
  const names = await readdir(folder)
  const versions = names
    .filter((name) => isVersion.test(name) && existsSync(join(folder, name, 'index.html')))
    .sort((a, b) => compareVersions(b, a))
  const latest = versions.find((version) => !version.includes('-')) ?? versions[0] ?? ''
  return { latest, versions }
}

const isVersion = /^\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?$/

/** Negative when the first is older. Releases have the pre-releases `alpha`, `beta` and `rc`, in the order of the alphabet. */
function compareVersions(a: string, b: string): number {
  const [[numbersA = '', preA], [numbersB = '', preB]] = [a.split('-'), b.split('-')]
  const byNumbers = compareTexts(numbersA, numbersB)
  if (byNumbers !== 0 || preA === preB) return byNumbers
  if (preA === undefined) return 1
  return preB === undefined ? -1 : compareTexts(preA, preB)
}

const { compare: compareTexts } = new Intl.Collator('en', { numeric: true })

function leadTo(latest: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=${latest}/index.html">
<title>Tutti</title>
<link rel="icon" href="${latest}/favicon.svg" type="image/svg+xml">
</head>
<body><p><a href="${latest}/index.html">Documentation of Tutti ${latest}</a></p></body>
</html>
`.toString()
}
