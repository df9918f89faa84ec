/** A forecast of the next hours. */
interface Forecast {
  /** One value for each hour ahead. */
  readonly expected: readonly number[]
  /** Half the width of the interval that should contain 95 % of the hours. */
  readonly margin: number
  /** The relative error of daily sums when the same method forecasts the past. */
  readonly dayError: number
  readonly seasonHours: number
}

const dayHours = 24
const weekHours = 7 * dayHours

/** Smoothing factors of the level and of the seasonal pattern. */
const levelWeight = 0.2
const seasonWeight = 0.2

/** Two days to learn the daily pattern, and one to measure the error. */
const minSeasons = 3

/**
 * Exponential smoothing with seasons: each hour is a slowly moving level, plus the usual deviation of this hour of the day (or, with
 * three weeks of data, of the week). Undefined with too few hours, or when all of them are 0. Never throws.
 */
export function forecastHours(hours: readonly number[], ahead: number): Forecast | undefined {
  const season = hours.length >= minSeasons * weekHours ? weekHours : dayHours
  if (hours.length < minSeasons * season || hours.every((value) => value === 0)) return undefined
  const learned = hours.slice(0, 2 * season)
  let level = meanOf(learned)
  const habits = Array.from({ length: season }, (_, hour) => {
    const [first = 0, second = 0] = [learned[hour], learned[hour + season]]
    return (first + second) / 2 - level
  })
  const nextHours = (from: number, length: number) =>
    Array.from({ length }, (_, step) => Math.max(0, level + (habits[(from + step) % season] ?? 0)))
  // Forecasts every past day from the data before it: this measures the error of the next forecast.
  const forecast: number[] = []
  for (const [index, value] of hours.entries()) {
    if (index < 2 * season) continue
    if (index % dayHours === 0) forecast.push(...nextHours(index, dayHours))
    const place = index % season
    const habit = habits[place] ?? 0
    level += levelWeight * (value - habit - level)
    habits[place] = habit + seasonWeight * (value - level - habit)
  }
  const happened = hours.slice(2 * season)
  return {
    expected: nextHours(hours.length, ahead),
    margin: 1.96 * Math.sqrt(meanOf(happened.map((value, index) => (value - (forecast[index] ?? 0)) ** 2))),
    dayError: dayErrorOf(happened, forecast),
    seasonHours: season,
  }
}

function dayErrorOf(happened: readonly number[], forecast: readonly number[]): number {
  const errors: number[] = []
  for (let from = 0; from + dayHours <= happened.length; from += dayHours) {
    const actual = sumOf(happened.slice(from, from + dayHours))
    const expected = sumOf(forecast.slice(from, from + dayHours))
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
