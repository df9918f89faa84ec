/**
 * `npm run chaos`: kills workers and restarts PostgreSQL under a full queue, and checks that nothing was lost or done twice. With
 * `--upgrade-from`, it replaces replicas of an older package by those of this checkout under load; with `--replicas` alone, replicas behind a
 * load balancer meet every fault of `test/chaos/replicas/faults.ts`; with `--flapping-node`, it kills a model node again and again under load.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { runFlappingNode } from '../test/chaos/flapping-node.ts'
import { describeReplicaChaos } from '../test/chaos/replicas/describe-report.ts'
import { faults } from '../test/chaos/replicas/faults.ts'
import { runReplicaChaos } from '../test/chaos/replicas/run-replicas.ts'
import { runChaos } from '../test/chaos/run-chaos.ts'
import { upgradeFrom } from '../test/chaos/upgrade/upgrade-from.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    executions: { type: 'string', default: '2000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    'upgrade-from': { type: 'string' },
    replicas: { type: 'string' },
    fault: { type: 'string', default: '' },
    report: { type: 'string' },
    callers: { type: 'string', default: '4' },
    'flapping-node': { type: 'boolean', default: false },
    requests: { type: 'string', default: '3000' },
  },
})
const archive = values['upgrade-from']
const numbers = [
  values.kills,
  values.executions,
  values.seed,
  values.replicas ?? '3',
  values.callers,
  values.requests,
].map(Number)
const [kills = 0, executions = 0, seed = 0, replicas = 0, callers = 0, requests = 0] = numbers

if (numbers.some((number) => !Number.isInteger(number) || number < 0)) {
  console.log('Usage: npm run chaos [-- --kills N --executions N --seed N]')
  console.log('       npm run chaos -- --upgrade-from tutti-0.1.0.tgz [--replicas N --callers N]')
  console.log('       npm run chaos -- --replicas N [--callers N --fault PART_OF_A_NAME --report FILE]')
  console.log('       npm run chaos -- --flapping-node [--requests N]')
  process.exitCode = 1
} else if (values['flapping-node']) {
  const report = await runFlappingNode({ callers: 10, requests, minDeaths: 2 })
  console.table({
    took: seconds(report.seconds * 1000),
    requests: report.requests,
    'deaths of the node': report.deaths,
    'requests moved to another node': report.moved,
    'requests lost before the first byte': report.lost.length,
    'streams interrupted after the first byte': report.interrupted,
  })
  for (const reason of report.lost.slice(0, 50)) console.log(`✗ ${reason}`)
  process.exitCode = report.lost.length === 0 ? 0 : 1
} else if (archive !== undefined) {
  const report = await upgradeFrom(archive, { replicas, callers, onProgress: (line) => console.log(line) })
  console.table({
    took: seconds(report.seconds * 1000),
    migrations: report.migrations,
    'previous replicas ready after the migrations': `${report.readyAfterMigration} of ${report.previousReplicas}`,
    requests: report.requests,
    'failed requests': report.failures.length,
    streams: report.streams,
    'streams continued on another replica': report.resumedStreams,
    'executions acknowledged': report.started.size,
    'executions lost': report.lost,
  })
  for (const { message } of report.failures.slice(0, 50)) console.log(`✗ ${message}`)
  process.exitCode = report.failures.length + report.lost === 0 ? 0 : 1
} else if (values.replicas !== undefined) {
  const report = await runReplicaChaos({
    replicas,
    callers,
    faults: faults.filter(({ name }) => name.includes(values.fault)),
    onProgress: (line) => console.log(line),
  })
  const text = describeReplicaChaos(report)
  console.log(`\n${text}`)
  if (values.report !== undefined) await writeFile(values.report, text)
  for (const { name, failures } of report.faults)
    for (const failure of failures.slice(0, 5)) console.log(`  ${name}, after ${failure}`)
  for (const problem of report.problems) console.log(`✗ ${problem}`)
  process.exitCode = report.problems.length === 0 ? 0 : 1
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
    'steps started again after a kill or a wait': report.repeatedSteps,
    'executions running when a worker was killed': report.orphans,
    'of which the takeover was measured': report.measured,
    'of which ended with a commit in progress': report.endedMeanwhile,
    'of which were lost again before a step': report.lostAgain,
    'median takeover': seconds(report.medianMs),
    'slowest takeover': seconds(report.slowestMs),
    'most executions of one account at once': report.maxActiveOfAccount,
    'most executions suspended at a restart': report.suspendedAtRestart,
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
