import { type KeyboardEvent, useState } from 'react'
import styles from './Chips.module.css'
import type { Tone } from './Status.tsx'

interface Chip<Value extends string> {
  readonly value: Value
  readonly label: string
  /** The number of entries, such as `12` or `10,000+`. */
  readonly count?: string | undefined
  readonly tone?: Tone | undefined
}

interface ChipsProps<Value extends string> {
  /** The accessible name of the group, and the visible one before it. */
  readonly label: string
  readonly chips: readonly Chip<Value>[]
  readonly chosen: readonly string[]
  readonly onToggle: (value: Value) => void
}

const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowRight: (index, last) => Math.min(index + 1, last),
  ArrowLeft: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_, last) => last,
}

function moveFocus(press: KeyboardEvent<HTMLElement>): void {
  const move = moves[press.key]
  if (move === undefined || press.ctrlKey || press.metaKey || press.altKey || press.shiftKey) return
  const buttons = [...press.currentTarget.querySelectorAll<HTMLElement>('button')]
  const index = buttons.findIndex((button) => button === press.target)
  if (index < 0) return
  press.preventDefault()
  buttons[move(index, buttons.length - 1)]?.focus()
}

/** Buttons that filter a list, each with its number of entries. They are one Tab stop; arrow keys, Home and End move between them. */
export function Chips<Value extends string>({ label, chips, chosen, onToggle }: ChipsProps<Value>) {
  const [focused, setFocused] = useState<string>()
  const stop = chips.some(({ value }) => value === focused)
    ? focused
    : (chips.find(({ value }) => chosen.includes(value)) ?? chips[0])?.value

  return (
    <div className={styles['chips']} role="group" aria-label={label} onKeyDown={moveFocus}>
      {chips.map(({ value, label: text, count, tone }) => (
        <button
          key={value}
          type="button"
          data-tone={tone}
          aria-pressed={chosen.includes(value)}
          tabIndex={value === stop ? 0 : -1}
          onFocus={() => setFocused(value)}
          onClick={() => onToggle(value)}
        >
          {text}
          {count === undefined ? null : <span className={styles['count']}>{count}</span>}
        </button>
      ))}
    </div>
  )
}
