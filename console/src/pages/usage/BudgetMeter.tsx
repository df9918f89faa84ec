import { describeDollars } from '../../parts/describe-amount.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status, type Tone } from '../../parts/Status.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './BudgetMeter.module.css'
import type { Budget } from './usage-queries.ts'

/** The rest of the account's daily budget. */
export function BudgetMeter({ budget }: { budget: Budget | undefined }) {
  return (
    <Section title="Daily budget">
      <div className={styles['budget']}>
        {budget === undefined ? <Skeleton width={200} /> : <BudgetStatus budget={budget} />}
      </div>
    </Section>
  )
}

function BudgetStatus({ budget }: { budget: Budget }) {
  const { limit_micro_dollars: limit, spent_micro_dollars: spent, resets_at } = budget
  const { reserved_micro_dollars: reserved, left_micro_dollars: left } = budget
  const { tone, word } = stateOf(budget)
  const words = `${describeDollars(spent)} of ${describeDollars(limit)} spent`
  return (
    <>
      <Meter label="Daily budget" words={words} most={limit} spent={spent} reserved={reserved} />
      <p className={styles['words']}>
        <Status tone={tone} word={word} />
        <span>{words}</span>
        {reserved === 0 ? null : <span>{describeDollars(reserved)} reserved for running calls</span>}
        <span>{describeDollars(left)} left</span>
        <span>
          resets <RelativeTime at={resets_at} />
        </span>
      </p>
    </>
  )
}

const nearlyAll = 0.8

function stateOf({ limit_micro_dollars: limit, left_micro_dollars: left }: Budget): {
  tone: Tone
  word: string
} {
  if (limit === 0) return { tone: 'idle', word: 'Your tier has no model budget' }
  if (left === 0) return { tone: 'bad', word: 'Limit reached' }
  return left <= limit * (1 - nearlyAll)
    ? { tone: 'warn', word: 'Near limit' }
    : { tone: 'good', word: 'Within budget' }
}
