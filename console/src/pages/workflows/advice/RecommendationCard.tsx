import { Link } from '@tanstack/react-router'
import type { CSSProperties } from 'react'
import { Status, type Tone } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { describeCost, describeSeconds, describeShare } from '../../agents/agent-words.ts'
import type { Recommendation } from '../workflow-bodies.ts'
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

/** What is not known is said to be so, rather than shown as a dash nobody can read. */
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
      ? 'what it would cost nobody can tell'
      : `would cost ${describeCost(cost)}, ${source === 'agent_history' ? 'as its runs did' : 'by its prices'}`,
    time === null ? 'how long it takes was not measured' : `would take ${describeSeconds(time)}`,
    ...(success === null ? [] : [`succeeds with ${describeShare(success)}`]),
    runs === 1 ? '1 run in 30 days' : `${runs.toLocaleString()} runs in 30 days`,
    model === null || provider === 'builtin' ? 'asks no language model' : `asks ${model}`,
    `${describeShare(recommendation.confidence)} sure`,
  ].join(' · ')
}

type Factor = NonNullable<Recommendation['explanation']>['match'][number]

function Explanation({ recommendation }: { recommendation: Recommendation }) {
  const { explanation, label, alternative_configs: others } = recommendation
  if (explanation === undefined) return null
  return (
    <details className={styles['why']}>
      <summary>How the score is made</summary>
      <Table
        label={`What the score of ${label} is made of`}
        columns={factorColumns}
        rows={explanation.match}
        rowKey={({ factor }) => factor}
      />
      {explanation.fit.length === 0 ? null : (
        <>
          <p className={styles['numbers']}>The fit is made of:</p>
          <Table
            label={`What the fit of ${label} is made of`}
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
                `${config} for ${cost === null ? 'nobody knows how much' : describeCost(cost)}`,
            )
            .join('; ')}.`}
        </p>
      )}
    </details>
  )
}

const factorColumns: ReadonlyArray<Column<Factor>> = [
  { title: 'Factor', room: 80, cell: ({ factor }) => factor.replaceAll('_', ' ') },
  {
    title: 'Score',
    numeric: true,
    cell: ({ score }) => (score === null ? 'not known' : describeShare(score)),
  },
  { title: 'Weight', numeric: true, cell: ({ weight }) => weight.toLocaleString() },
  { title: 'Evidence', room: 192, cell: ({ evidence }) => evidence },
]
