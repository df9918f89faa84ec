import { describeDollars } from '../../parts/describe-amount.ts'
import { Meter } from '../../parts/Meter.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status, type Tone } from '../../parts/Status.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import styles from './BudgetMeter.module.css'
import type { Budget } from './usage-bodies.ts'

/** What is left of today's budget of the account that looks. */
export function BudgetMeter({ budget }: { budget: Budget | undefined }) {
  return (
    <Section title="Your budget today">
      <div className={styles['budget']}>
        {budget === undefined ? <Skeleton width={200} /> : <Standing budget={budget} />}
      </div>
    </Section>
  )
}

function Standing({ budget }: { budget: Budget }) {
  const { limit_micro_dollars: limit, spent_micro_dollars: spent, resets_at } = budget
  const { reserved_micro_dollars: reserved, left_micro_dollars: left } = budget
  const { tone, word } = stateOf(budget)
  const words = `${describeDollars(spent)} of ${describeDollars(limit)} spent`
  return (
    <>
      <Meter label="Budget of today" words={words} most={limit} spent={spent} reserved={reserved} />
      <p className={styles['words']}>
        <Status tone={tone} word={word} />
        <span>{words}</span>
        {reserved === 0 ? null : <span>{describeDollars(reserved)} set aside for calls that run</span>}
        <span>{describeDollars(left)} left</span>
        <span>
          new <RelativeTime at={resets_at} />
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
  if (limit === 0) return { tone: 'idle', word: 'Your tier has no money for models' }
  if (left === 0) return { tone: 'bad', word: 'Used up' }
  return left <= limit * (1 - nearlyAll)
    ? { tone: 'warn', word: 'Nearly used up' }
    : { tone: 'good', word: 'Enough left' }
}
