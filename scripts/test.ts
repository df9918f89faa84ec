/** `npm test`: runs every check and every test. The last line has the totals. */
import { startVitest, type Vitest } from 'vitest/node'
import { runChecks } from './check.ts'

interface Totals {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

const filters = process.argv.slice(2)
// The compile cache of `bin/tutti`, so that workers and threads of tests need not compile the same sources again.
process.env['NODE_COMPILE_CACHE'] ??= new URL('../.cache/node', import.meta.url).pathname
// Tests wait for processes and databases; one check at a time uses the processors meanwhile.
const checking = filters.length === 0 ? runChecks({ atOnce: 1 }) : Promise.resolve({ passed: 0, failed: 0 })
const vitest = await startVitest('test', filters, { run: true, watch: false })
const tests = countTests(vitest)
const checks = await checking
await vitest.close()

const passed = checks.passed + tests.passed
const failed = checks.failed + tests.failed
console.log(`${passed} passed, ${failed} failed${tests.skipped > 0 ? `, ${tests.skipped} skipped` : ''}`)
process.exitCode = failed === 0 && tests.passed > 0 ? 0 : 1

function countTests({ state }: Vitest): Totals {
  const counts = { passed: 0, failed: state.getUnhandledErrors().length, skipped: 0, pending: 0 }
  for (const module of state.getTestModules()) {
    const failedBefore = counts.failed
    for (const test of module.children.allTests()) {
      counts[test.result().state] += 1
    }
    // A file that does not load and a hook that throws fail no test, but must count as a failure.
    if (!module.ok() && counts.failed === failedBefore) counts.failed += 1
  }
  return counts
}
