import { useState } from 'react'
import { Chips } from './Chips.tsx'
import styles from './RangeChoice.module.css'
import { type RangeName, rangeNames, resolveRange, type TimeRange } from './time-range.ts'

const words: Readonly<Record<RangeName, string>> = {
  '1h': '1 h',
  '24h': '24 h',
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': '7 d',
  '30d': '30 d',
}

const chips = [
  ...rangeNames.map((value) => ({ value, label: words[value] })),
  { value: 'custom' as const, label: 'Custom' },
]

interface RangeChoiceProps {
  readonly value: TimeRange
  readonly onChange: (range: TimeRange) => void
}

/** The range of time of a list. Pressing the chosen range again shows all time. */
export function RangeChoice({ value, onChange }: RangeChoiceProps) {
  const { range, from, to } = value
  const hasTimes = from !== undefined || to !== undefined
  const [isOpen, setOpen] = useState(false)
  const isCustom = hasTimes || isOpen
  const chosen = range === undefined || isOpen ? (isCustom ? ['custom'] : []) : [range]

  function toggle(wanted: RangeName | 'custom'): void {
    if (wanted !== 'custom') {
      setOpen(false)
      onChange(range === wanted ? {} : { range: wanted })
      return
    }
    setOpen(!isCustom)
    if (hasTimes) onChange({})
    else if (range !== undefined) {
      // The named range is where the times of their own begin.
      const { since, until } = resolveRange({ range }, new Date())
      onChange({
        ...(since === undefined ? {} : { from: since }),
        ...(until === undefined ? {} : { to: until }),
      })
    }
  }
  const changeTime = (name: 'from' | 'to', text: string) => {
    const { [name]: _, range: __, ...rest } = value
    const at = new Date(text)
    onChange(Number.isNaN(at.getTime()) ? rest : { ...rest, [name]: at.toISOString() })
  }
  return (
    <>
      <Chips label="Time range" chips={chips} chosen={chosen} onToggle={toggle} />
      {isCustom ? (
        <div className={styles['times']}>
          {(['from', 'to'] as const).map((name) => (
            <label key={name}>
              {name === 'from' ? 'From' : 'To'}
              <input
                type="datetime-local"
                value={localText(value[name])}
                onChange={({ currentTarget }) => changeTime(name, currentTarget.value)}
              />
            </label>
          ))}
        </div>
      ) : null}
    </>
  )
}

interface PeriodChoiceProps<Name extends RangeName> {
  readonly names: readonly Name[]
  readonly value: Name
  readonly onChange: (name: Name) => void
}

/** The period of statistics: always one of a few ranges up to now. */
export function PeriodChoice<Name extends RangeName>({ names, value, onChange }: PeriodChoiceProps<Name>) {
  return (
    <Chips
      label="Period"
      chips={names.map((name) => ({ value: name, label: words[name] }))}
      chosen={[value]}
      onToggle={onChange}
    />
  )
}

/** A time as the field writes it, in the time zone of the browser. */
function localText(moment: string | undefined): string {
  if (moment === undefined) return ''
  const at = new Date(moment)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
