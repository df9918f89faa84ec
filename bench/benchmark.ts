/** The default export of a `bench/<name>/bench.ts`. */
export interface Benchmark {
  /** The question that the benchmark answers. */
  readonly question: string
  /** Unit of the measured numbers, such as `runs/s`. */
  readonly unit: string
  readonly better: 'higher' | 'lower'
  /** The contender that all others are compared with. */
  readonly baseline: string
  /** The contender that this one is compared with instead, where a benchmark has several questions. */
  readonly baselineOf?: (contender: string) => string
  setUp(): Promise<Stage>
}

/** The resources of a running benchmark. */
export interface Stage extends AsyncDisposable {
  readonly contenders: readonly Contender[]
  /** Versions of the measured programs, such as `{ PostgreSQL: '18.4' }`. */
  readonly versions: Readonly<Record<string, string>>
}

export interface Contender {
  readonly name: string
  /** Measures once, for a second or two. */
  measure(): Promise<Measurement>
}

export interface Measurement {
  readonly value: number
  /** Additional columns of the table, such as `{ 'CPU ms/run': 0.2 }`. */
  readonly beside?: Readonly<Record<string, number>>
}
