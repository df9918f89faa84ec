import { type CSSProperties, type KeyboardEvent, memo, useRef } from 'react'
import { Status } from '../../parts/Status.tsx'
import { describeDuration } from '../../time/describe-time.ts'
import { describeNested, stepWords } from '../executions/execution-words.ts'
import styles from './GanttChart.module.css'
import { type Bar, type Gantt, type GanttRow, ticksOf } from './gantt.ts'

interface GanttChartProps {
  readonly gantt: Gantt
  readonly selected: string | undefined
  readonly onSelect: (step: string) => void
  /** Enter on a step: the focus moves to its details. */
  readonly onEnter: () => void
}

/** A Gantt chart of the steps: waiting times, attempts, pauses. Arrow keys move between steps. */
export function GanttChart({ gantt, selected, onSelect, onEnter }: GanttChartProps) {
  const list = useRef<HTMLUListElement>(null)
  const isKnown = gantt.rows.some(({ step }) => step.step_id === selected)
  const stop = isKnown ? selected : gantt.rows[0]?.step.step_id
  function move(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    const index = gantt.rows.findIndex(({ step }) => step.step_id === stop) + by
    const next = gantt.rows[index]?.step.step_id
    if (next === undefined) return
    onSelect(next)
    list.current?.querySelector<HTMLElement>(`[data-step="${CSS.escape(next)}"]`)?.focus()
  }
  return (
    <div className={styles['chart']}>
      <Axis gantt={gantt} />
      <ul ref={list} className={styles['rows']} aria-label="Steps over time" onKeyDown={move}>
        {gantt.rows.map((row) => (
          <Row
            key={row.step.step_id}
            row={row}
            isSelected={row.step.step_id === selected}
            isStop={row.step.step_id === stop}
            onSelect={onSelect}
            onEnter={onEnter}
          />
        ))}
      </ul>
    </div>
  )
}

/** The words of a tick further right would not fit beside it: they stand before it. */
const lateTick = 0.8

function Axis({ gantt: { seconds, breaks, placeOf } }: { gantt: Gantt }) {
  return (
    <div className={styles['axis']} aria-hidden>
      <span />
      <span className={styles['ticks']}>
        {ticksOf(seconds).map((at) => (
          <span
            key={at}
            data-late={placeOf(at) > lateTick}
            style={{ '--from': `${placeOf(at) * 100}%` } as CSSProperties}
          >
            {at === 0 ? '0' : describeDuration(at)}
          </span>
        ))}
        {breaks.map(({ from, length, seconds: idle }) => (
          <span
            key={from}
            className={styles['break']}
            title={`${describeDuration(idle)} idle`}
            style={{ '--from': `${from * 100}%`, '--length': `${length * 100}%` } as CSSProperties}
          />
        ))}
      </span>
    </div>
  )
}

interface RowProps {
  readonly row: GanttRow
  readonly isSelected: boolean
  readonly isStop: boolean
  readonly onSelect: (step: string) => void
  readonly onEnter: () => void
}

const Row = memo(function Row({ row: { step, bars }, isSelected, isStop, onSelect, onEnter }: RowProps) {
  return (
    <li>
      <button
        type="button"
        className={styles['row']}
        data-step={step.step_id}
        aria-pressed={isSelected}
        tabIndex={isStop ? 0 : -1}
        onClick={({ detail }) => {
          onSelect(step.step_id)
          // A click without a mouse is the Enter key.
          if (detail === 0) onEnter()
        }}
      >
        <span className={styles['name']}>
          <Status tone={stepWords[step.state].tone} word="" />
          <span className={styles['label']}>{step.label ?? step.step_id.split('/').at(-1)}</span>
          {step.nested === null ? null : (
            <span className={styles['count']} data-failed={step.nested.failed > 0}>
              {describeNested(step.nested)}
            </span>
          )}
          <span className={styles['heard']}>{describeRow(step.state, bars)}</span>
        </span>
        <span className={styles['bars']} aria-hidden>
          {quietStates.has(step.state) ? (
            <span className={styles['quiet']}>{stepWords[step.state].word}</span>
          ) : null}
          {bars.map((bar) => (
            <span
              key={`${bar.kind} ${bar.from}`}
              className={styles['bar']}
              data-kind={bar.kind}
              title={`${bar.kind}: ${describeDuration(bar.seconds)}`}
              style={{ '--from': `${bar.from * 100}%`, '--length': `${bar.length * 100}%` } as CSSProperties}
            />
          ))}
        </span>
      </button>
    </li>
  )
})

/** States without a bar. */
const quietStates: ReadonlySet<GanttRow['step']['state']> = new Set(['not_run', 'skipped'])

/** The accessible description of the bars. */
function describeRow(state: GanttRow['step']['state'], bars: readonly Bar[]): string {
  const stretches = bars.map(({ kind, seconds }) => `${kind} ${describeDuration(seconds)}`)
  return [stepWords[state].word.toLowerCase(), ...stretches].join(', ')
}
