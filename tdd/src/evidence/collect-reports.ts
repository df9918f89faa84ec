import { readdirSync, readFileSync, statSync } from 'node:fs'
import picomatch from 'picomatch'
import { absolutePath } from '../project/paths.ts'
import { readTestReport } from './readers/read-report.ts'
import type { TestReport } from './test-report.ts'

export interface ReportSources {
  /** The package's folder, which relative names start from. */
  readonly folder: string
  readonly files: readonly string[]
  /** Reports that were there before the run began say nothing about it. */
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

/** The files a list of names and globs stands for, from `folder`. A name that is no glob is taken as it is. */
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
