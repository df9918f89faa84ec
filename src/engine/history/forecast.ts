/** What the next hours are likely to bring. */
export interface Forecast {
  /** One for each hour ahead. */
  readonly expected: readonly number[]
  /** Half of the width within which nineteen of twenty hours should lie. */
  readonly margin: number
  /** How far sums over a day were off when the past was forecast the same way, as a share of them. */
  readonly dayError: number
  readonly seasonHours: number
}

const dayHours = 24
const weekHours = 7 * dayHours

/** How fast the level and the habits follow what happens. */
const levelWeight = 0.2
const seasonWeight = 0.2

/** Two days to learn the habits from, and one to see how good that is. */
const leastSeasons = 3

/**
 * Exponential smoothing with seasons: each hour is a level that moves slowly, plus what this hour of the day (or, with three weeks to learn
 * from, of the week) usually has more or less. Undefined without enough hours, or when nothing ever happened.
 */
export function forecastHours(hours: readonly number[], ahead: number): Forecast | undefined {
  const season = hours.length >= leastSeasons * weekHours ? weekHours : dayHours
  if (hours.length < leastSeasons * season || hours.every((value) => value === 0)) return undefined
  const learned = hours.slice(0, 2 * season)
  let level = meanOf(learned)
  const habits = Array.from({ length: season }, (_, hour) => {
    const [first = 0, second = 0] = [learned[hour], learned[hour + season]]
    return (first + second) / 2 - level
  })
  const nextHours = (from: number, length: number) =>
    Array.from({ length }, (_, step) => Math.max(0, level + (habits[(from + step) % season] ?? 0)))
  // What would have been told at the begin of each day that is known: that is how good the next one can be.
  const told: number[] = []
  for (const [index, value] of hours.entries()) {
    if (index < 2 * season) continue
    if (index % dayHours === 0) told.push(...nextHours(index, dayHours))
    const place = index % season
    const habit = habits[place] ?? 0
    level += levelWeight * (value - habit - level)
    habits[place] = habit + seasonWeight * (value - level - habit)
  }
  const happened = hours.slice(2 * season)
  return {
    expected: nextHours(hours.length, ahead),
    margin: 1.96 * Math.sqrt(meanOf(happened.map((value, index) => (value - (told[index] ?? 0)) ** 2))),
    dayError: dayErrorOf(happened, told),
    seasonHours: season,
  }
}

function dayErrorOf(happened: readonly number[], told: readonly number[]): number {
  const errors: number[] = []
  for (let from = 0; from + dayHours <= happened.length; from += dayHours) {
    const actual = sumOf(happened.slice(from, from + dayHours))
    const expected = sumOf(told.slice(from, from + dayHours))
    const larger = Math.max(actual, expected)
    errors.push(larger === 0 ? 0 : Math.abs(actual - expected) / larger)
  }
  return meanOf(errors)
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length
}
