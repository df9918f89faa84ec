/**
 * Describes a cron expression, such as `At 9:00 from Monday to Friday`. Undefined without a short sentence: a wrong or
 * incomplete description would be worse than the expression itself.
 */
export function describeCron(expression: string): string | undefined {
  const parts = expression.trim().toUpperCase().split(/\s+/)
  if (parts.length !== 5 && parts.length !== 6) return undefined
  const [second = '', minute = '', hour = '', day = '', month = '', weekday = ''] =
    parts.length === 6 ? parts : ['0', ...parts]
  const time = describeTimes(second, minute, hour)
  const days = describeDays(day, weekday)
  const months = describeMonths(month)
  if (time === undefined || days === undefined || months === undefined) return undefined
  const isDaily = time.isFixed && days === ''
  const words = [isDaily ? `every day ${time.words}` : time.words, days, months].filter((it) => it !== '')
  const sentence = words.join(' ')
  return sentence.slice(0, 1).toUpperCase() + sentence.slice(1)
}

interface Times {
  readonly words: string
  /** Runs at fixed times of day, rather than at an interval. */
  readonly isFixed: boolean
}

/** The maximum number of times in a sentence; more of them would be unreadable. */
const maxTimes = 4

function describeTimes(second: string, minute: string, hour: string): Times | undefined {
  if (second !== '0') {
    const step = readStep(second, 60)
    return step === undefined || minute !== '*' || hour !== '*' ? undefined : again(`every ${step} seconds`)
  }
  const minutes = readNumbers(minute, 0, 59)
  const hours = readNumbers(hour, 0, 23)
  if (minutes !== undefined && hours !== undefined) return describeClock(minutes, hours)
  const minuteStep = minute === '*' ? 1 : readStep(minute, 60)
  if (minuteStep !== undefined) return describeMinutes(minuteStep, hour)
  const [only] = minutes ?? []
  return only === undefined || minutes?.length !== 1 ? undefined : describeHours(only, hour)
}

function describeClock(minutes: readonly number[], hours: readonly number[]): Times | undefined {
  if (minutes.length * hours.length > maxTimes) return undefined
  const times = hours.flatMap((hour) => minutes.map((minute) => clock(hour, minute)))
  return { words: `at ${joinWords(times)}`, isFixed: true }
}

function describeMinutes(step: number, hour: string): Times | undefined {
  const often = step === 1 ? 'every minute' : `every ${step} minutes`
  if (hour === '*') return again(often)
  const range = readRange(hour, 0, 23)
  const hours = range ?? (/^\d+$/.test(hour) ? ([Number(hour), Number(hour)] as const) : undefined)
  return hours === undefined
    ? undefined
    : again(`${often} from ${clock(hours[0], 0)} to ${clock(hours[1], 59)}`)
}

function describeHours(minute: number, hour: string): Times | undefined {
  const past = minute === 0 ? '' : ` at ${minute} past`
  if (hour === '*') return again(`every hour${past}`)
  const step = readStep(hour, 24)
  if (step !== undefined) return again(`every ${step} hours${past}`)
  const range = readRange(hour, 0, 23)
  return range === undefined
    ? undefined
    : again(`every hour from ${clock(range[0], minute)} to ${clock(range[1], minute)}`)
}

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

function describeDays(day: string, weekday: string): string | undefined {
  const isAnyWeekday = weekday === '*' || weekday === '?'
  if (day === '*' || day === '?') return isAnyWeekday ? '' : describeNamed(weekday, weekdays, 0, 'on')
  // Cron runs on days that match either field; a short sentence about both would be misread.
  if (!isAnyWeekday) return undefined
  if (day === 'L') return 'on the last day of the month'
  const days = readNumbers(day, 1, 31)
  return days === undefined ? undefined : `on day ${joinWords(days.map(String))} of the month`
}

function describeMonths(month: string): string | undefined {
  return month === '*' ? '' : describeNamed(month, months, 1, 'in')
}

/** Describes weekdays or months, given by number or by the first three letters of their names. */
function describeNamed(
  field: string,
  names: readonly string[],
  first: number,
  preposition: string,
): string | undefined {
  const numbered = field.replaceAll(/[A-Z]+/g, (letters) => {
    const index = names.findIndex((name) => name.slice(0, 3).toUpperCase() === letters)
    return index < 0 ? letters : String(index + first)
  })
  const last = first + names.length - 1
  const nameOf = (number: number) => names[number - first] ?? ''
  const range = readRange(numbered, first, last)
  if (range !== undefined) return `from ${nameOf(range[0])} to ${nameOf(range[1])}`
  const numbers = readNumbers(numbered, first, last)
  return numbers === undefined ? undefined : `${preposition} ${joinWords(numbers.map(nameOf))}`
}

/** Parses numbers such as `5` or `1,15`. */
function readNumbers(field: string, first: number, last: number): readonly number[] | undefined {
  if (!/^\d+(?:,\d+)*$/.test(field)) return undefined
  const numbers = field.split(',').map(Number)
  return numbers.every((number) => number >= first && number <= last) ? numbers : undefined
}

/** Parses a range such as `8-17`. */
function readRange(field: string, first: number, last: number): readonly [number, number] | undefined {
  const [, from, to] = /^(\d+)-(\d+)$/.exec(field) ?? []
  if (from === undefined || to === undefined) return undefined
  return Number(from) < first || Number(to) > last || Number(from) >= Number(to)
    ? undefined
    : [Number(from), Number(to)]
}

/** A step that divides its unit evenly: a step of 7 minutes leaves a shorter gap at the end of each hour. */
function readStep(field: string, round: number): number | undefined {
  const step = Number(/^\*\/(\d+)$/.exec(field)?.[1])
  return step > 1 && round % step === 0 ? step : undefined
}

function again(words: string): Times {
  return { words, isFixed: false }
}

function clock(hour: number, minute: number): string {
  return `${hour}:${String(minute).padStart(2, '0')}`
}

function joinWords(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
