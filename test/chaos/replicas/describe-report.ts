import { cpus } from 'node:os'
import type { ReplicaChaosReport } from './run-replicas.ts'

/** The report as a document: a table with a row for each fault, and what holds for all of them. */
export function describeReplicaChaos(report: ReplicaChaosReport): string {
  const rows = report.faults.map(
    ({ name, seconds, requests, failures, recoverySeconds, slowestExecutionSeconds }) =>
      `| ${name} | ${oneDecimal(seconds)} s | ${requests} | ${failures.length} | ${oneDecimal(recoverySeconds)} s | ${oneDecimal(slowestExecutionSeconds)} s |`,
  )
  return `${[
    '# Replicas under faults',
    '',
    'Made by `npm run chaos -- --replicas 3 --report docs/chaos.md` ([what runs](../test/chaos/README.md#replicas)): API replicas and workers behind a load balancer, on a PostgreSQL server with a synchronous',
    'standby, meet one fault after the other while callers run executions, read event streams, sign in and call models. A request that was not answered as it should be counts as failed, also when it was',
    'in progress at a process that was killed; callers repeat nothing. *Recovery* is the time from the end of the fault to the last failed request. *Slowest execution* is the longest time, from the begin of',
    'the fault, until an execution ended that was open then.',
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node.js ${process.versions.node} on ${cpus().length} cores, behind ${report.balancer}.`,
    '',
    '| fault | duration | requests | failed | recovery after the fault | slowest execution |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '| of all faults together | |',
    '|---|---|',
    `| requests | ${report.requests} |`,
    `| event streams, of which continued after a cut | ${report.streams}, ${report.resumedStreams} |`,
    `| acknowledged executions, of which lost | ${report.acknowledged}, ${report.lost} |`,
    `| finished side effects repeated | ${report.repeatedEffects} |`,
    `| side effects sent again because their replica was lost before the commit | ${report.unfinishedEffects} |`,
    `| executions of the schedule, of which twice for one time | ${report.scheduled}, ${report.doubleSchedules} |`,
    `| webhooks delivered, of which more than once, and missing | ${report.deliveries}, ${report.repeatedDeliveries}, ${report.missingDeliveries} |`,
  ].join('\n')}\n`
}

function oneDecimal(seconds: number): string {
  return seconds.toFixed(1)
}
