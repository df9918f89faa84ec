import { combineRuns, filesToRepeat, type NamedFailure } from './combine-runs.ts'
import { type FileResult, runFiles } from './run-files.ts'

const repeatLimitMs = 10 * 60_000

interface Results {
  /** Of the first run. */
  readonly files: readonly FileResult[]
  readonly failed: readonly NamedFailure[]
  readonly flaky: readonly NamedFailure[]
  /** Errors that belong to no file. */
  readonly errors: readonly string[]
}

interface Options {
  /** On the clock of `performance.now()`. */
  readonly endsMs: number
  readonly since: string | undefined
}

/** Runs the files, and those that failed once more: alone, with twice the patience. */
export async function runWithRepeats(filters: readonly string[], options: Options): Promise<Results> {
  const { endsMs, since } = options
  const { files, errors, unfinished } = await runFiles(filters, {
    limitMs: endsMs - performance.now(),
    since,
  })
  if (unfinished.length > 0) {
    const late = `The time of the run was over before these files had ended: ${unfinished.join(', ')}`
    return { ...combineRuns(files, []), files, errors: [...errors, late] }
  }
  const repeated = await repeatAlone(filesToRepeat(files))
  return { ...combineRuns(files, repeated), files, errors }
}

async function repeatAlone(files: readonly string[]): Promise<readonly FileResult[]> {
  if (files.length === 0) return []
  console.log(`Running ${files.length} failed file${files.length === 1 ? '' : 's'} again, alone`)
  const { env } = process
  const usual = env['TUTTI_TEST_PATIENCE']
  env['TUTTI_TEST_ALONE'] = '1'
  env['TUTTI_TEST_PATIENCE'] = String(2 * Number(usual ?? 1))
  try {
    return (await runFiles(files, { limitMs: repeatLimitMs })).files
  } finally {
    delete env['TUTTI_TEST_ALONE']
    if (usual !== undefined) env['TUTTI_TEST_PATIENCE'] = usual
  }
}
