import type { ReactNode } from 'react'
import type { System } from '../../api/bodies.ts'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status, type Tone } from '../../parts/Status.tsx'
import { describeDuration, describeMinute, describeMoment } from '../../time/describe-time.ts'
import styles from './Summary.module.css'

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
  return (
    <dl className={styles['summary']} aria-busy={system === undefined}>
      {cellsOf(system).map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={styles['value']}>{value ?? <Skeleton width={72} />}</dd>
          <dd className={styles['note']}>{note ?? <Skeleton width={96} />}</dd>
        </div>
      ))}
    </dl>
  )
}

function cellsOf(system: System | undefined): Array<{ name: string; value?: ReactNode; note?: ReactNode }> {
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
