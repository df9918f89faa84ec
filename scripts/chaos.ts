/** `npm run chaos`: kills workers and restarts PostgreSQL under a full queue, and checks that nothing was lost or done twice. */
import { parseArgs } from 'node:util'
import { runChaos } from '../test/chaos/run-chaos.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    executions: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
const [kills, executions, seed] = [values.kills, values.executions, values.seed].map(Number) as [
  number,
  number,
  number,
]

if ([kills, executions, seed].some((number) => !Number.isInteger(number) || number < 0)) {
  console.log('Usage: npm run chaos [-- --kills N --executions N --seed N]')
  process.exitCode = 1
} else {
  console.log(`${executions} executions, ${kills} kills, seed ${seed}`)
  const report = await runChaos({
    executions,
    kills,
    seed,
    killEveryMs: [3500, 4500],
    restartEveryMs: 5000,
    maxRestarts: Number.POSITIVE_INFINITY,
    takeoverWithinMs: 12_000,
    onProgress: (line) => console.log(line),
  })
  console.table({
    took: `${report.seconds.toFixed(0)} s`,
    executions: executions,
    'workers killed': kills,
    'PostgreSQL restarted': report.restarts,
    'longest database outage': seconds(report.maxAwayMs),
    'steps started': report.runs,
    'steps started again after their worker was killed': report.repeatedSteps,
    'executions running when a worker was killed': report.orphans,
    'of which the takeover was measured': report.measured,
    'of which ended with a commit in progress': report.endedMeanwhile,
    'of which were lost again before a step': report.lostAgain,
    'median takeover': seconds(report.medianMs),
    'slowest takeover': seconds(report.slowestMs),
    'most executions of one account at once': report.maxActiveOfAccount,
    problems: report.problems.length,
  })
  for (const problem of report.problems.slice(0, 50)) console.log(`✗ ${problem}`)
  if (report.problems.length === 0)
    console.log('✓ all executions completed, no finished step ran again, nothing is missing')
  process.exitCode = report.problems.length === 0 ? 0 : 1
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
