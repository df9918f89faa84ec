/**
 * `npm test`: the checks and the core suite. `npm run test:all` adds the extended suite: files named `*.extended.test.ts` and quarantined
 * tests, and the browser tests in an installed browser. With filters, only the tests whose path contains one; `npm run test:changed` runs
 * those that depend on uncommitted changes. Failed files run again alone; the last line has the totals.
 */
import { execFileSync } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { runChecksBesideTests } from './check.ts'
import { findOtherBrowser, prepareBrowser } from './prepare-browser.ts'
import { calibrate } from './test/calibrate.ts'
import type { NamedFailure } from './test/combine-runs.ts'
import { formatChanged } from './test/format-changed.ts'
import { endAbandonedRuns, endOwnRun, markRun } from './test/leftovers.ts'
import { readProcessorSeconds } from './test/processes.ts'
import { readQuarantine } from './test/quarantine.ts'
import { type Totals, writeReport } from './test/report.ts'
import { runWithRepeats } from './test/run-with-repeats.ts'

const { values: options, positionals: filters } = parseArgs({
  options: { all: { type: 'boolean', default: false }, since: { type: 'string' } },
  allowPositionals: true,
})
const isWhole = filters.length === 0 && options.since === undefined
const isCore = isWhole && !options.all

const minute = 60_000
const startedMs = performance.now()

endAbandonedRuns()
markRun()
const calibration = calibrate()
const patience = Number((process.env['TUTTI_TEST_PATIENCE'] ??= String(calibration.patience)))
/** About twice what the suites take. */
const endsMs = startedMs + patience * (isCore ? 25 * minute : 90 * minute)
const busy = calibration.busy.length === 0 ? 'nothing else busy' : `busy: ${calibration.busy.join(', ')}`
const browser = await readBrowserVersion()
const load = loadavg()[0]?.toFixed(1)
console.log(`${availableParallelism()} cores, load ${load}, ${busy}, patience ${patience}, ${browser}`)

// The compile cache of `bin/tutti`, so that workers and threads of tests need not compile the same sources again.
process.env['NODE_COMPILE_CACHE'] ??= new URL('../.cache/node', import.meta.url).pathname
if (isCore) process.env['TUTTI_TEST_SUITE'] = 'core'
const quarantined = readQuarantine()
const checking = isWhole ? formatChanged().then(runChecksBesideTests) : { passed: 0, failed: 0 }
const runs = [await runWithRepeats(filters, { endsMs, since: options.since })]
const checks = await checking

const otherBrowser = isWhole && options.all ? findOtherBrowser() : undefined
const browsers = [browser]
if (otherBrowser !== undefined) {
  process.env['CHROME_PATH'] = otherBrowser
  browsers.push(await readBrowserVersion())
  console.log(`The browser tests again, with ${browsers[1]}`)
  runs.push(await runWithRepeats(['test/browser/'], { endsMs, since: undefined }))
}

const flaky = runs.flatMap((one) => one.flaky)
const failed = runs.flatMap((one) => one.failed)
const errors = runs.flatMap((one) => one.errors)
printFailures('Flaky: failed beside other tests, passed alone', flaky)
printFailures('Failed', failed)
for (const error of errors) console.log(`✗ ${error}`)
for (const { file, title, since, reason } of quarantined)
  console.log(`Quarantined since ${since}: ${file} > ${title}: ${reason}`)

endOwnRun()
const files = runs.flatMap((one) => one.files)
const testsPassed = files.reduce((sum, { passed }) => sum + passed.length, 0) + flaky.length
const totals: Totals = {
  passed: checks.passed + testsPassed,
  failed: checks.failed + failed.length + errors.length,
  skipped: files.reduce((sum, { skipped }) => sum + skipped, 0),
}
await writeReport({
  seconds: Math.round((performance.now() - startedMs) / 1000),
  processorSeconds: Math.round(readProcessorSeconds()),
  patience,
  browsers,
  ...totals,
  flaky,
  quarantined,
  files,
})
const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`)
const hasRun = testsPassed > 0 || options.since !== undefined
// Workers of unfinished files would keep this process.
process.exit(totals.failed === 0 && hasRun ? 0 : 1)

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
