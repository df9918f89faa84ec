import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startVitest, type TestModule, type Vitest } from 'vitest/node'

export interface FailedTest {
  /** Its describe blocks and its own title, joined by ` > `; undefined for a failure of the whole file. */
  readonly title: string | undefined
  readonly error: string
}

/** The results of the tests of one file. */
export interface FileResult {
  readonly file: string
  readonly project: string
  readonly seconds: number
  /** The titles of the tests that passed. */
  readonly passed: readonly string[]
  readonly failed: readonly FailedTest[]
  readonly skipped: number
}

interface RunResult {
  readonly files: readonly FileResult[]
  /** Errors that belong to no file, for example of the global setup. */
  readonly errors: readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the test files whose path contains one of the filters; all files without filters. */
export async function runFiles(filters: readonly string[]): Promise<RunResult> {
  const vitest = await startVitest('test', [...filters], { run: true, watch: false })
  const result = readResult(vitest)
  await vitest.close()
  return result
}

function readResult({ state }: Vitest): RunResult {
  const errors: string[] = []
  const errorsByFile = new Map<string, string>()
  for (const thrown of state.getUnhandledErrors()) {
    const { VITEST_TEST_PATH: path } = thrown as { VITEST_TEST_PATH?: string }
    if (path === undefined) errors.push(describeError(thrown))
    else errorsByFile.set(path, describeError(thrown))
  }
  const files = state.getTestModules().map((module) => readModule(module, errorsByFile.get(module.moduleId)))
  return { files, errors }
}

function readModule(module: TestModule, unhandledError: string | undefined): FileResult {
  const passed: string[] = []
  const failed: FailedTest[] = []
  let skipped = 0
  for (const test of module.children.allTests()) {
    const { state, errors } = test.result()
    if (state === 'passed') passed.push(test.fullName)
    else if (state === 'skipped') skipped += 1
    else failed.push({ title: test.fullName, error: describeError(errors?.[0] ?? `${state} at the end`) })
  }
  // A file that does not load, a hook that throws and an unhandled rejection fail no test, but must count as a failure.
  const ofFile =
    unhandledError ?? (module.ok() ? undefined : describeError(module.errors()[0] ?? 'a hook failed'))
  if (ofFile !== undefined && (unhandledError !== undefined || failed.length === 0))
    failed.push({ title: undefined, error: ofFile })
  return {
    file: relative(root, module.moduleId),
    project: module.project.name,
    seconds: module.diagnostic().duration / 1000,
    passed,
    failed,
    skipped,
  }
}

function describeError(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return String(error)
}
