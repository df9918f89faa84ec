import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { Status, type Tone } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { describeCost, describeSeconds, describeShare } from '../../agents/agent-words.ts'
import type { Recommendation } from '../workflow-queries.ts'
import styles from './Advice.module.css'

interface RecommendationCardProps {
  readonly recommendation: Recommendation
  /** 1 is the best. */
  readonly place: number
}

/** One agent that suits: how well, what it would cost and take, and what speaks for and against it. */
export function RecommendationCard({ recommendation, place }: RecommendationCardProps) {
  const { agent_id: agent, label, match_score: score, reasoning, pros, cons } = recommendation
  return (
    <article className={styles['card']} aria-label={label}>
      <div className={styles['head']}>
        <h3>
          {place}.{' '}
          <Link to="/agents/$agent" params={{ agent }}>
            {label}
          </Link>
        </h3>
        <span className={styles['score']}>
          <span
            className={styles['bar']}
            style={{ '--share': `${score * 100}%` } as CSSProperties}
            aria-hidden
          />
          Score {describeShare(score)}
        </span>
      </div>
      <p>{reasoning}</p>
      <p className={styles['numbers']}>{numbersOf(recommendation)}</p>
      {pros.length + cons.length === 0 ? null : (
        <ul className={styles['reasons']} aria-label={`Reasons for and against ${label}`}>
          {pros.map((reason) => (
            <Reason key={reason} tone="good" reason={reason} />
          ))}
          {cons.map((reason) => (
            <Reason key={reason} tone="warn" reason={reason} />
          ))}
        </ul>
      )}
      <Explanation recommendation={recommendation} />
    </article>
  )
}

function Reason({ tone, reason }: { tone: Tone; reason: string }) {
  return (
    <li>
      <Status tone={tone} word={tone === 'good' ? 'For' : 'Against'} />
      <span>{reason}</span>
    </li>
  )
}

/** Unknown values are named as such rather than shown as a dash. */
function numbersOf(recommendation: Recommendation): string {
  const {
    estimated_cost: cost,
    estimated_cost_source: source,
    estimated_duration: time,
    success_probability: success,
    sample_size: runs,
    model,
    provider,
  } = recommendation
  return [
    cost === null
      ? 'cost unknown'
      : `about ${describeCost(cost)}, ${source === 'agent_history' ? 'from past runs' : 'from its prices'}`,
    time === null ? 'duration unknown' : `about ${describeSeconds(time)}`,
    ...(success === null ? [] : [`${describeShare(success)} success rate`]),
    runs === 1 ? '1 run in 30 days' : `${runs.toLocaleString()} runs in 30 days`,
    model === null || provider === 'builtin' ? 'no language model' : `model ${model}`,
    `${describeShare(recommendation.confidence)} confidence`,
  ].join(' · ')
}

type Factor = NonNullable<Recommendation['explanation']>['match'][number]

function Explanation({ recommendation }: { recommendation: Recommendation }) {
  const { explanation, label, alternative_configs: others } = recommendation
  if (explanation === undefined) return null
  return (
    <details className={styles['why']}>
      <summary>Score details</summary>
      <Table
        label={`Score of ${label}`}
        columns={factorColumns}
        rows={explanation.match}
        rowKey={({ factor }) => factor}
      />
      {explanation.fit.length === 0 ? null : (
        <>
          <p className={styles['numbers']}>Fit:</p>
          <Table
            label={`Fit of ${label}`}
            columns={factorColumns}
            rows={explanation.fit}
            rowKey={({ factor }) => factor}
          />
        </>
      )}
      {others.length === 0 ? null : (
        <p className={styles['numbers']}>
          {`With another model: ${others
            .map(
              ({ config, cost }) =>
                `${config} for ${cost === null ? 'an unknown price' : describeCost(cost)}`,
            )
            .join('; ')}.`}
        </p>
      )}
    </details>
  )
}

const factorColumns: ReadonlyArray<Column<Factor>> = [
  { title: 'Factor', minWidth: 80, cell: ({ factor }) => factor.replaceAll('_', ' ') },
  {
    title: 'Score',
    numeric: true,
    cell: ({ score }) => (score === null ? 'unknown' : describeShare(score)),
  },
  { title: 'Weight', numeric: true, cell: ({ weight }) => weight.toLocaleString() },
  { title: 'Evidence', minWidth: 192, cell: ({ evidence }) => evidence },
]
