/** `npm test`: every check, then every test. Ends with one line of totals. */
import { startVitest, type TestModule, type Vitest } from 'vitest/node'
import { runChecks } from './check.ts'

const filters = process.argv.slice(2)
const checks = filters.length === 0 ? await runChecks() : { passed: 0, failed: 0 }
const vitest = await startVitest('test', filters, { run: true, watch: false })
const tests = countTests(vitest)
await vitest.close()

const passed = checks.passed + tests.passed
const failed = checks.failed + tests.failed
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 && tests.passed > 0 ? 0 : 1

function countTests({ state }: Vitest): { passed: number; failed: number } {
  let passedTests = 0
  // What failed outside any test (an unhandled error, a file that does not load) must not look green.
  let failedTests = state.getUnhandledErrors().length
  for (const module of state.getTestModules()) {
    const results = [...module.children.allTests()].map((test) => test.result().state)
    passedTests += results.filter((result) => result === 'passed').length
    failedTests += results.filter((result) => result === 'failed').length + failuresOutsideTests(module)
  }
  return { passed: passedTests, failed: failedTests }
}

function failuresOutsideTests(module: TestModule): number {
  return module.errors().length
}
