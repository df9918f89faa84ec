import type { FailedTest, FileResult } from './run-files.ts'

/** More failed files than this mean that something is broken: running them again would only take time. */
const maxRepeatedFiles = 10

const unitProjects: ReadonlySet<string> = new Set(['unit', 'bundled-unit'])

export interface NamedFailure extends FailedTest {
  readonly file: string
}

/** The files to run again alone. A unit test depends on nothing but its code, so it gets no second run. */
export function filesToRepeat(files: readonly FileResult[]): readonly string[] {
  const failed = files.filter((file) => file.failed.length > 0)
  if (failed.length > maxRepeatedFiles) return []
  return failed.filter(({ project }) => !unitProjects.has(project)).map(({ file }) => file)
}

interface Combined {
  /** Tests that failed in every run of their file. */
  readonly failed: readonly NamedFailure[]
  /** Tests that failed first and passed when their file ran alone. */
  readonly flaky: readonly NamedFailure[]
}

/** Compares the failures of the first run with the results of the repeated files. */
export function combineRuns(first: readonly FileResult[], repeated: readonly FileResult[]): Combined {
  const failures = first.flatMap(({ file, failed }) => failed.map((test) => ({ file, ...test })))
  const { flaky = [], failed = [] } = Object.groupBy(failures, ({ file, title }) => {
    const again = repeated.find((result) => result.file === file)
    return again !== undefined && hasPassed(again, title) ? 'flaky' : 'failed'
  })
  return { failed, flaky }
}

function hasPassed({ passed, failed }: FileResult, title: string | undefined): boolean {
  if (title === undefined) return passed.length > 0 && failed.every((test) => test.title !== undefined)
  return passed.includes(title) && failed.every((test) => test.title !== title)
}
