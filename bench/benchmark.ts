/** What a `bench/<name>/bench.ts` exports as its default. */
export interface Benchmark {
  /** What one wants to know, as a question. */
  readonly question: string
  /** Of the numbers the contenders return, such as `runs/s`. */
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** The contender that all others are compared with. */
  readonly baseline: string
  setUp(): Promise<Stage>
}

/** Everything a benchmark needs while it runs. */
export interface Stage extends AsyncDisposable {
  readonly contenders: readonly Contender[]
  /** What was measured against, such as `{ PostgreSQL: '18.4' }`. */
  readonly versions: Readonly<Record<string, string>>
}

export interface Contender {
  readonly name: string
  /** Measures once, for a second or two. */
  measure(): Promise<Measurement>
}

export interface Measurement {
  readonly value: number
  /** Further numbers for the table, such as `{ 'CPU ms/run': 0.2 }`. */
  readonly beside?: Readonly<Record<string, number>>
}
