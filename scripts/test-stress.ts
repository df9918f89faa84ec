/**
 * `npm run test:stress -- FILE…`: runs test files ten times beside a busy process for each processor. A new test of the browser or of
 * processes passes this before it is committed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { calibrate } from './test/calibrate.ts'
import { endAbandonedRuns, markRun } from './test/leftovers.ts'
import { runFiles } from './test/run-files.ts'

const rounds = 10
const roundLimitMs = 10 * 60_000

const filters = process.argv.slice(2)
if (filters.length === 0) {
  console.error('Name the files: npm run test:stress -- test/http/health.test.ts')
  process.exit(2)
}

endAbandonedRuns()
markRun()
const busy = Array.from({ length: availableParallelism() }, startBusyLoop)
process.env['TUTTI_TEST_PATIENCE'] ??= String(calibrate().patience)
const failedRounds: number[] = []
for (let round = 1; round <= rounds; round += 1) {
  const { files, errors, unfinished } = await runFiles(filters, { limitMs: roundLimitMs })
  const failed = files.filter((file) => file.failed.length > 0)
  const hasPassed = failed.length + errors.length + unfinished.length === 0 && files.length > 0
  if (!hasPassed) failedRounds.push(round)
  console.log(`Round ${round} of ${rounds}: ${hasPassed ? 'passed' : 'failed'}`)
  if (unfinished.length > 0) break
}
for (const loop of busy) loop.kill('SIGKILL')
console.log(
  failedRounds.length === 0
    ? `All ${rounds} rounds passed.`
    : `Failed in ${failedRounds.length} of ${rounds} rounds: ${failedRounds.join(', ')}`,
)
process.exit(failedRounds.length === 0 ? 0 : 1)

function startBusyLoop(): ChildProcess {
  return spawn(process.execPath, ['--eval', 'for (;;);'], { stdio: 'ignore' })
}
