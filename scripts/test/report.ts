import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import type { NamedFailure } from './combine-runs.ts'
import type { QuarantinedTest } from './quarantine.ts'
import type { FileResult } from './run-files.ts'

/** Processor seconds that a file may use, by its project. */
const budgets: Readonly<Record<string, number>> = {
  unit: 1,
  'bundled-unit': 1,
  server: 5,
  tdd: 5,
  browser: 15,
  process: 15,
  alone: 15,
}

const reportFile = new URL('../../.cache/test-report.json', import.meta.url)

export interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

interface ReportedFile extends Pick<FileResult, 'file' | 'project' | 'seconds' | 'processorSeconds'> {
  readonly tests: number
}

/** The results of a test run. */
export interface TestReport extends Totals {
  /** Null in a folder without history, or on a machine without git. */
  readonly commit: string | null
  readonly clean: boolean | null
  readonly seconds: number
  readonly processorSeconds: number
  readonly patience: number
  readonly browsers: readonly string[]
  readonly flaky: readonly NamedFailure[]
  readonly quarantined: readonly QuarantinedTest[]
  /** Those with the most processor time first. */
  readonly files: readonly ReportedFile[]
}

type Run = Omit<TestReport, 'commit' | 'clean' | 'files'> & { readonly files: readonly FileResult[] }

/** Writes .cache/test-report.json. */
export async function writeReport({ files, ...run }: Run): Promise<void> {
  const report: TestReport = {
    ...readCommit(),
    ...run,
    files: files
      .map(({ file, project, seconds, processorSeconds, passed }) => ({
        file,
        project,
        seconds,
        processorSeconds,
        tests: passed.length,
      }))
      .toSorted((one, other) => (other.processorSeconds ?? 0) - (one.processorSeconds ?? 0)),
  }
  await mkdir(new URL('.', reportFile), { recursive: true })
  await writeFile(reportFile, `${JSON.stringify(report, undefined, 2)}\n`)
}

/** Reads the report of the last run. Rejects when there is none. */
export async function readReport(): Promise<TestReport> {
  return JSON.parse(await readFile(reportFile, 'utf8')) as TestReport
}

/** The times of each project and the files above the budget of their project, as lines. */
export function describeReport({ files, ...run }: TestReport): readonly string[] {
  const projects = Array.from(
    Map.groupBy(files, ({ project }) => project),
    ([name, own]) =>
      `${name}: ${own.length} files, ${sumOf(own, 'seconds')} s, ${sumOf(own, 'processorSeconds')} processor seconds`,
  )
  const above = files.flatMap(({ file, project, processorSeconds: used = 0 }) => {
    const budget = budgets[project] ?? Number.POSITIVE_INFINITY
    return used <= budget ? [] : [`${used.toFixed(1)} of ${budget} processor seconds: ${file}`]
  })
  return [
    `${run.seconds} s, ${run.processorSeconds} processor seconds, patience ${run.patience}, ${run.browsers.join(', ')}`,
    ...projects,
    above.length === 0 ? 'No file is above its budget.' : `${above.length} files above their budget:`,
    ...above,
  ]
}

function sumOf(files: readonly ReportedFile[], field: 'seconds' | 'processorSeconds'): number {
  return Math.round(files.reduce((sum, file) => sum + (file[field] ?? 0), 0))
}

function readCommit() {
  try {
    return { commit: git('rev-parse', 'HEAD'), clean: git('status', '--porcelain') === '' }
  } catch {
    return { commit: null, clean: null }
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim()
}
