import { Link } from '@tanstack/react-router'
import { type CSSProperties, type KeyboardEvent, useState } from 'react'
import styles from './OutcomeBar.module.css'
import type { Tone } from './Status.tsx'

/** How one run ended. */
export interface Outcome {
  readonly id: string
  readonly tone: Tone
  /** The state: `Failed`. */
  readonly word: string
  /** What else the title says, such as the time or the error. */
  readonly about?: string | undefined
  /** In seconds; null or left out: unknown, or nothing ran. */
  readonly duration?: number | null
  /** The execution that the bar links to; null: none was started. */
  readonly execution: string | null
}

/** The minimum height of a visible bar. */
const lowest = 0.35

/** The outcomes as bars, oldest at the left; the height is the share of the longest duration, 0 to 1. Without durations all have the full height. */
export function barsOf(
  outcomes: readonly Outcome[],
): ReadonlyArray<{ readonly outcome: Outcome; readonly height: number }> {
  const longest = Math.max(0, ...outcomes.map(({ duration }) => duration ?? 0))
  const heightOf = ({ duration = null, execution }: Outcome) => {
    if (longest === 0) return execution === null ? lowest : 1
    return duration === null ? lowest : Math.max(lowest, duration / longest)
  }
  return outcomes.toReversed().map((outcome) => ({ outcome, height: heightOf(outcome) }))
}

/** The counts of the outcomes: `3 completed, 1 failed`. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  return [...Map.groupBy(outcomes, ({ word }) => word)]
    .map(([word, some]) => `${some.length} ${word.toLowerCase()}`)
    .join(', ')
}

/**
 * The last outcomes as a row of bars, newest first in `outcomes`. Each bar is a link to its execution. The row is one tab
 * stop; the arrow keys move within it, so that a table of many rows stays short for the keyboard.
 */
export function OutcomeBar({ outcomes }: { outcomes: readonly Outcome[] }) {
  const [chosen, setChosen] = useState<string>()
  if (outcomes.length === 0) return <span className={styles['none']}>none</span>
  const bars = barsOf(outcomes)
  const linked = bars.filter(({ outcome }) => outcome.execution !== null)
  const stop = (linked.find(({ outcome }) => outcome.id === chosen) ?? linked.at(-1))?.outcome.id
  return (
    <span
      className={styles['bars']}
      role="group"
      aria-label={`Last runs: ${summaryOf(outcomes)}`}
      title={summaryOf(outcomes)}
      onKeyDown={moveFocus}
    >
      {bars.map(({ outcome, height }) => {
        const { id, tone, word, about, execution } = outcome
        const title = about === undefined ? word : `${word}, ${about}`
        const look = {
          className: styles['bar'],
          'data-tone': tone,
          title,
          style: { '--height': `${height * 100}%` } as CSSProperties,
        }
        return execution === null ? (
          <span key={id} {...look} />
        ) : (
          <Link
            key={id}
            {...look}
            to="/executions/$execution"
            params={{ execution }}
            preload={false}
            aria-label={title}
            tabIndex={id === stop ? 0 : -1}
            onFocus={() => setChosen(id)}
            onClick={(click) => click.stopPropagation()}
          />
        )
      })}
    </span>
  )
}

/** Moves the focus between the bars. The event does not reach the table, whose arrow keys move between rows. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const links = [...event.currentTarget.querySelectorAll('a')]
  const at = links.findIndex((link) => link === document.activeElement)
  const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  event.stopPropagation()
  links.at(Math.min(Math.max(next, 0), links.length - 1))?.focus()
}
