import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { Section } from '../../parts/Section.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { describeProvider } from '../providers/provider-words.ts'
import { type ModelSpeed, modelSpeedsQuery } from './health-queries.ts'
import type { HealthRange } from './health-search.ts'
import { describePercentile } from './history-words.ts'
import styles from './ModelSpeeds.module.css'

const time = (
  title: string,
  valueOf: (speed: ModelSpeed) => number | null,
  minor = false,
): Column<ModelSpeed> => ({
  title,
  value: valueOf,
  numeric: true,
  minor,
  placeholderWidth: 40,
  cell: (speed) => describePercentile(valueOf(speed)),
})

const columns: ReadonlyArray<Column<ModelSpeed>> = [
  { title: 'Model', value: ({ model }) => model, placeholderWidth: 120, cell: ({ model }) => model },
  {
    title: 'Provider',
    value: ({ provider }) => describeProvider(provider),
    minor: true,
    minWidth: 64,
    placeholderWidth: 56,
    cell: ({ provider }) => describeProvider(provider),
  },
  {
    title: 'Calls',
    value: ({ calls }) => calls,
    numeric: true,
    placeholderWidth: 32,
    cell: ({ calls }) => calls.toLocaleString(),
  },
  {
    title: 'Failed',
    value: ({ failures }) => failures,
    numeric: true,
    minor: true,
    placeholderWidth: 32,
    cell: ({ failures }) => failures.toLocaleString(),
  },
  time('First token p50', ({ first_token }) => first_token.p50_ms),
  time('First token p95', ({ first_token }) => first_token.p95_ms, true),
  time('Total p50', ({ p50_ms }) => p50_ms),
  time('Total p95', ({ p95_ms }) => p95_ms, true),
]

/** The response times of each model. */
export function ModelSpeeds({ range }: { range: HealthRange }) {
  const asked = range === '24h' ? '24h' : '7d'
  const { data } = useQuery(modelSpeedsQuery(useApi(), asked))
  return (
    <Section
      title="Models"
      note={asked === '24h' ? 'latency, last 24 hours' : 'latency, last 7 days of recorded calls'}
    >
      {data?.models.length === 0 ? (
        <p className={styles['none']}>
          No model calls in this period. <Link to="/playground">Open playground</Link>
        </p>
      ) : (
        <Table
          label="Models"
          name="models"
          columns={columns}
          rows={data?.models}
          rowKey={({ provider, model }) => `${provider}/${model}`}
          placeholderRows={2}
        />
      )}
    </Section>
  )
}
