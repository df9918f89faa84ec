import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { classify, type UserRule } from '../classify/classify.ts'
import type { Config } from '../config/config.ts'
import { nulSeparated, runGit } from '../git/run-git.ts'
import { locate, type Project } from '../project/locate.ts'
import type { FileHashes } from './run-evidence.ts'
import type { TestReport } from './test-report.ts'

const maxFiles = 2000

/** The compiled globs of the user. */
export function userRules({ files }: Config): UserRule[] {
  return files.map(({ class: name, source }) => ({ class: name, pattern: new RegExp(source) }))
}

/** The test files behind a failing report: the files it names, else every test of the package. */
export function testFilesOf(
  project: Project,
  packageName: string,
  reports: readonly TestReport[],
  config: Config,
): string[] {
  const folder = packageName === '.' ? project.root : `${project.root}/${packageName}`
  const named = reports.flatMap(({ results, failedSuites }) => [
    ...results
      .filter(({ outcome }) => outcome === 'failed')
      .flatMap(({ file }) => (file === undefined ? [] : [file])),
    ...failedSuites,
  ])
  const found = named.flatMap((file) => {
    const place = locate(file, folder)
    return place?.project.root === project.root && hashOf(project, place.path) !== undefined
      ? [place.path]
      : []
  })
  return found.length > 0 ? [...new Set(found)] : allTests(project, packageName, config)
}

function allTests(project: Project, packageName: string, config: Config): string[] {
  const listed = runGit(project.root, [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--',
    packageName,
  ])
  const rules = userRules(config)
  return nulSeparated(listed ?? '')
    .filter((path) => {
      const pathInPackage = packageName === '.' ? path : path.slice(packageName.length + 1)
      const options = { rules, framework: config.project.framework }
      return classify({ path, package: packageName, pathInPackage }, options) === 'test'
    })
    .slice(0, maxFiles)
}

/** The current hashes; a missing file has none. */
export function hashFiles(project: Project, files: readonly string[]): FileHashes {
  return Object.fromEntries(
    files.flatMap((file) => {
      const hash = hashOf(project, file)
      return hash === undefined ? [] : [[file, hash]]
    }),
  )
}

function hashOf({ root }: Project, file: string): string | undefined {
  try {
    return createHash('sha256')
      .update(readFileSync(`${root}/${file}`))
      .digest('hex')
  } catch {
    return undefined
  }
}
