/**
 * `npm test`: the checks and the core suite. `npm run test:all` adds the extended suite: files named `*.extended.test.ts` and quarantined
 * tests. With filters, only the tests whose path contains one. Failed files run again alone; the last line has the totals.
 */
import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'
import { runChecks } from './check.ts'
import { prepareBrowser } from './prepare-browser.ts'
import { combineRuns, filesToRepeat, type NamedFailure } from './test/combine-runs.ts'
import { readQuarantine } from './test/quarantine.ts'
import { runFiles } from './test/run-files.ts'

const reportFile = new URL('../.cache/test-report.json', import.meta.url)

const filters = process.argv.slice(2).filter((argument) => argument !== '--all')
const isCore = filters.length === 0 && !process.argv.includes('--all')
const started = performance.now()
const quarantined = readQuarantine()
const browser = await readBrowserVersion()
console.log(`${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}, ${browser}`)

// The compile cache of `bin/tutti`, so that workers and threads of tests need not compile the same sources again.
process.env['NODE_COMPILE_CACHE'] ??= new URL('../.cache/node', import.meta.url).pathname
if (isCore) process.env['TUTTI_TEST_SUITE'] = 'core'
// Tests wait for processes and databases; one check at a time uses the processors meanwhile.
const checking = filters.length === 0 ? runChecks({ atOnce: 1 }) : Promise.resolve({ passed: 0, failed: 0 })
const first = await runFiles(filters)
const checks = await checking
const repeated = await repeatAlone(filesToRepeat(first.files))

const { failed, flaky } = combineRuns(first.files, repeated)
printFailures('Flaky: failed beside other tests, passed alone', flaky)
printFailures('Failed', failed)
for (const { file, title, since, reason } of quarantined)
  console.log(`Quarantined since ${since}: ${file} > ${title}: ${reason}`)

const testsPassed = sumOf(first.files, ({ passed }) => passed.length) + flaky.length
const totals = {
  passed: checks.passed + testsPassed,
  failed: checks.failed + failed.length + first.errors.length,
  skipped: sumOf(first.files, ({ skipped }) => skipped),
}
await writeReport()
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`)
process.exitCode = totals.failed === 0 && testsPassed > 0 ? 0 : 1

async function repeatAlone(files: readonly string[]) {
  if (files.length === 0) return []
  console.log(`Running ${files.length} failed file${files.length === 1 ? '' : 's'} again, alone`)
  process.env['TUTTI_TEST_ALONE'] = '1'
  process.env['TUTTI_TEST_PATIENCE'] = '2'
  return (await runFiles(files)).files
}

function printFailures(heading: string, failures: readonly NamedFailure[]): void {
  if (failures.length > 0) console.log(`\n${heading}:`)
  for (const { file, title, error } of failures)
    console.log(`✗ ${file}${title === undefined ? '' : ` > ${title}`}\n    ${error.split('\n')[0]}`)
}

async function readBrowserVersion(): Promise<string> {
  const { executable, environment } = await prepareBrowser()
  return execFileSync(executable, ['--version'], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  }).trim()
}

async function writeReport(): Promise<void> {
  const report = {
    ...readCommit(),
    seconds: Math.round((performance.now() - started) / 1000),
    browser,
    ...totals,
    flaky,
    quarantined,
    files: first.files
      .map(({ file, project, seconds, passed }) => ({ file, project, seconds, tests: passed.length }))
      .toSorted((one, other) => other.seconds - one.seconds),
  }
  await mkdir(new URL('.', reportFile), { recursive: true })
  await writeFile(reportFile, `${JSON.stringify(report, undefined, 2)}\n`)
}

/** Null in a folder without history, or on a machine without git. */
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

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0)
}
