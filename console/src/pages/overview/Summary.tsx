import type { System } from '../../api/bodies.ts'
import { Status, type Tone } from '../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { describeDuration, describeMinute, describeMoment } from '../../time/describe-time.ts'

const states: Readonly<Record<System['status'], { tone: Tone; word: string }>> = {
  ready: { tone: 'good', word: 'Ready' },
  degraded: { tone: 'warn', word: 'Degraded' },
}

const roles: Readonly<Record<string, string>> = {
  all: 'API and worker',
  api: 'API only',
  worker: 'Worker only',
}

/** The platform in one line. */
export function Summary({ system }: { system: System | undefined }) {
  return <SummaryStrip cells={cellsOf(system)} isLoading={system === undefined} />
}

function cellsOf(system: System | undefined): readonly SummaryCell[] {
  if (system === undefined)
    return ['Status', 'Version', 'Uptime', 'Database', 'Connections'].map((name) => ({ name }))
  const { database } = system
  const { total, idle, waiting } = database.connections
  const reasons = Object.entries(system.checks).flatMap(([name, result]) =>
    result === 'ok' ? [] : [`${name}: ${result}`],
  )
  const started = new Date(system.started_at)
  return [
    {
      name: 'Status',
      value: <Status {...states[system.status]} />,
      note: reasons.length === 0 ? (roles[system.role] ?? system.role) : reasons.join(', '),
    },
    { name: 'Version', value: system.version, note: `Node.js ${system.node_version.replace(/^v/, '')}` },
    {
      name: 'Uptime',
      value: describeDuration(system.uptime_seconds),
      note: (
        <time dateTime={system.started_at} title={describeMoment(started)}>
          since {describeMinute(started)}
        </time>
      ),
    },
    {
      name: 'Database',
      value: `PostgreSQL ${database.version}`,
      note: database.kind === 'embedded' ? 'Embedded in this platform' : 'On its own server',
    },
    {
      name: 'Connections',
      value: `${total - idle} of ${total} in use`,
      note: waiting === 0 ? 'None waiting' : <Status tone="warn" word={`${waiting} waiting`} />,
    },
  ]
}
