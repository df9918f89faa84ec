/** The colours of series, by the name of their CSS variable. */
export type SeriesTone = 'accent' | 'bad' | 'text-faint'

export interface TimeSeries {
  readonly name: string
  /** One value for each position; null where nothing was measured. */
  readonly values: ReadonlyArray<number | null>
  /** Bars are stacked in the order of the series. Default: a line. */
  readonly as?: 'line' | 'area' | 'bars'
  readonly tone?: SeriesTone
  /** Whether the values of several positions can be added up. */
  readonly adds?: boolean
}

/** Bars differ by pattern as well as by colour, because there is only one accent colour. */
const barStyles = [
  { tone: 'accent', hatch: 'none' },
  { tone: 'accent', hatch: 'rising' },
  { tone: 'text-faint', hatch: 'none' },
  { tone: 'accent', hatch: 'level' },
  { tone: 'text-faint', hatch: 'falling' },
  { tone: 'text-faint', hatch: 'level' },
] as const

export type Hatch = (typeof barStyles)[number]['hatch']

/** The number of stacked series that can be distinguished. */
export const maxBars = barStyles.length

/** The first line is solid; the others differ by their dashes as well as by their colour. */
const lineDashes = [[], [4, 3], [8, 3], [2, 3]] as const

/** The colour, pattern and dashes of the series at this position. */
export function styleAt(
  { tone, as }: Pick<TimeSeries, 'tone' | 'as'>,
  index: number,
): { readonly tone: SeriesTone; readonly hatch: Hatch; readonly dash: readonly number[] } {
  const bar = barStyles[index % maxBars] ?? barStyles[0]
  const usual = as === 'bars' ? bar.tone : index === 0 ? 'accent' : 'text-faint'
  return { tone: tone ?? usual, hatch: bar.hatch, dash: lineDashes[index % lineDashes.length] ?? [] }
}

/** The values of bars on top of those below them; lines as they are. */
export function stackValues(series: readonly TimeSeries[]): readonly (readonly (number | null)[])[] {
  const below: number[] = []
  return series.map(({ values, as }) => {
    if (as !== 'bars') return values
    return values.map((value, place) => {
      below[place] = (below[place] ?? 0) + (value ?? 0)
      return below[place] ?? 0
    })
  })
}

/** The highest value; 0 without any. */
export function highestOf(series: readonly (readonly (number | null)[])[]): number {
  return series.reduce(
    (highest, values) => values.reduce<number>((most, value) => Math.max(most, value ?? 0), highest),
    0,
  )
}

/** The positions of values without a neighbour, which no line shows. */
export function placesAlone(values: ReadonlyArray<number | null>): number[] {
  const isMeasured = (place: number) => (values[place] ?? null) !== null
  return [...values.keys()].filter(
    (place) => isMeasured(place) && !isMeasured(place - 1) && !isMeasured(place + 1),
  )
}

/** The sum of the measured values. */
export function sumOf(values: ReadonlyArray<number | null>): number {
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
}
