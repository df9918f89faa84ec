import { Status } from '../../parts/Status.tsx'
import { type SummaryCell, SummaryStrip } from '../../parts/SummaryStrip.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { describeMilliseconds } from '../cluster/node-words.ts'
import styles from './HealthSummary.module.css'
import type { Health, LiveMetrics } from './health-queries.ts'
import { describeLevel, describeTrouble } from './health-words.ts'

interface HealthSummaryProps {
  readonly health: Health | undefined
  readonly live: LiveMetrics | undefined
}

/** Everything in one line. */
export function HealthSummary({ health, live }: HealthSummaryProps) {
  return (
    <SummaryStrip
      cells={[...healthCells(health), ...liveCells(live)]}
      isLoading={health === undefined || live === undefined}
    />
  )
}

function healthCells(health: Health | undefined): readonly SummaryCell[] {
  if (health === undefined) return [{ name: 'State' }, { name: 'Score' }]
  const { overallScore, systemStatus, services } = health
  const counted = services.filter(({ status }) => status !== 'unconfigured')
  const online = counted.filter(({ status }) => status === 'online').length
  return [
    {
      name: 'State',
      value: <Status {...describeLevel(systemStatus.level)} />,
      note: <OneLine text={describeTrouble(services)} />,
    },
    {
      name: 'Score',
      value: `${overallScore} of 100`,
      note: `${online} of ${counted.length} services online`,
    },
  ]
}

/** However much there is to say, what stands below does not move. */
function OneLine({ text }: { text: string }) {
  return (
    <span className={styles['line']} title={text}>
      {text}
    </span>
  )
}

function liveCells(live: LiveMetrics | undefined): readonly SummaryCell[] {
  if (live === undefined) return ['Response time', 'Requests', 'Tokens', 'Uptime'].map((name) => ({ name }))
  const { averageResponseTime: averageMs, modelsActive } = live
  return [
    {
      name: 'Response time',
      value: averageMs === 0 ? '–' : describeMilliseconds(Math.round(averageMs * 10) / 10),
      note: 'average, last 24 hours',
    },
    {
      name: 'Requests',
      value: live.totalRequests.toLocaleString(),
      note: `${live.requestsPerMinute.toLocaleString()} per minute now`,
    },
    {
      name: 'Tokens',
      value: live.totalTokens.toLocaleString(),
      note: modelsActive === 1 ? '1 model active' : `${modelsActive} models active`,
    },
    {
      name: 'Uptime',
      value: describeDuration(Math.max(1, live.uptimeSeconds)),
      note: 'oldest process',
    },
  ]
}
