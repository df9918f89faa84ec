import { relative } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Reporter, startVitest, type TestModule, type Vitest } from 'vitest/node'

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
  /** Of its worker and the processes it started; undefined when the file did not load. */
  readonly processorSeconds?: number | undefined
  /** The titles of the tests that passed. */
  readonly passed: readonly string[]
  readonly failed: readonly FailedTest[]
  readonly skipped: number
}

interface RunResult {
  readonly files: readonly FileResult[]
  /** Errors that belong to no file, for example of the global setup. */
  readonly errors: readonly string[]
  /** The files that had not ended when the time was over. Their workers still run. */
  readonly unfinished: readonly string[]
}

interface RunOptions {
  /** After that time the run returns without the files that have not ended. */
  readonly limitMs: number
  /** Only files that depend on what changed since that commit. */
  readonly since?: string | undefined
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the test files whose path contains one of the filters; all files without filters. */
export async function runFiles(
  filters: readonly string[],
  { limitMs, since }: RunOptions,
): Promise<RunResult> {
  const unfinished = new Set<string>()
  let vitest: Vitest | undefined
  const follow: Reporter = {
    onInit: (started) => void (vitest = started),
    onTestRunStart(specifications) {
      for (const { moduleId } of specifications) unfinished.add(moduleId)
    },
    onTestModuleEnd: ({ moduleId }) => void unfinished.delete(moduleId),
  }
  const inTime = new AbortController()
  const run = startVitest('test', [...filters], {
    run: true,
    watch: false,
    reporters: ['default', follow],
    ...(since === undefined ? {} : { changed: since }),
  })
  await Promise.race([run, setTimeout(limitMs, undefined, { signal: inTime.signal }).catch(() => undefined)])
  inTime.abort()
  // Without a configuration that loads, the run itself rejects.
  vitest ??= await run
  const result = readResult(vitest, unfinished)
  if (unfinished.size === 0) await vitest.close()
  return result
}

function readResult({ state }: Vitest, unfinished: ReadonlySet<string>): RunResult {
  const errors: string[] = []
  const errorsByFile = new Map<string, string>()
  for (const thrown of state.getUnhandledErrors()) {
    const { VITEST_TEST_PATH: path } = thrown as { VITEST_TEST_PATH?: string }
    if (path === undefined) errors.push(describeError(thrown))
    else errorsByFile.set(path, describeError(thrown))
  }
  const files = state
    .getTestModules()
    .filter(({ moduleId }) => !unfinished.has(moduleId))
    .map((module) => readModule(module, errorsByFile.get(module.moduleId)))
  return { files, errors, unfinished: Array.from(unfinished, (path) => relative(root, path)) }
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
    processorSeconds: module.meta().processorSeconds,
    passed,
    failed,
    skipped,
  }
}

function describeError(error: unknown): string {
  if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message)
  return String(error)
}
