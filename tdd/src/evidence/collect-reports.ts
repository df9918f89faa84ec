import { readdirSync, readFileSync, statSync } from 'node:fs'
import picomatch from 'picomatch'
import { absolutePath } from '../project/paths.ts'
import { readTestReport } from './readers/read-report.ts'
import type { TestReport } from './test-report.ts'

export interface ReportSources {
  /** The package's folder, the base of relative names. */
  readonly folder: string
  readonly files: readonly string[]
  /** The start of the run: older report files belong to earlier runs and are ignored. */
  readonly notBeforeMs?: number
  readonly stdout?: string
}

/** Reads the result of a run: its report files, else its output. */
export function collectReports({ folder, files, notBeforeMs = 0, stdout = '' }: ReportSources): TestReport[] {
  const found = files.flatMap((file) => {
    const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs
    if (mtimeMs === undefined || mtimeMs < notBeforeMs) return []
    const report = readTestReport(readFileSync(file, 'utf8'), { root: folder })
    return report === undefined ? [] : [report]
  })
  if (found.length > 0) return found
  const printed = stdout === '' ? undefined : readTestReport(stdout, { root: folder })
  return printed === undefined ? [] : [printed]
}

const maxFiles = 5000

/** The files that match a list of names and globs in `folder`. A name without glob characters is used as it is. */
export function findFiles(folder: string, patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => filesOf(folder, pattern)))]
}

function filesOf(folder: string, pattern: string): string[] {
  const { base, glob, isGlob } = picomatch.scan(pattern.replaceAll('\\', '/'))
  if (!isGlob) return [absolutePath(pattern, folder)]
  const start = absolutePath(base === '' ? '.' : base, folder)
  if (statSync(start, { throwIfNoEntry: false })?.isDirectory() !== true) return []
  const matches = picomatch(glob, { dot: true })
  return readdirSync(start, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => matches(name))
    .slice(0, maxFiles)
    .map((name) => `${start}/${name}`)
}
