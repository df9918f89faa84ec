/** A measured point that the simulation has to reproduce. Sources: the READMEs of bench/engine and bench/commits. */
export interface MeasuredPoint {
  readonly name: string
  readonly source: string
  readonly scenario: Scenario
  /** Executions per second. */
  readonly measured: number
}

/** The work of one execution, in milliseconds of processor time, and how it commits. */
export interface Workload {
  /** In the platform, all commits together. */
  readonly platformMs: number
  /** In PostgreSQL, all commits together. */
  readonly databaseMs: number
  /** Commits that wait for each other. */
  readonly commits: number
  /** Whether the commit of new executions notifies workers. */
  readonly notifies: boolean
}

export interface Scenario {
  readonly workload: Workload
  /** Processes of the platform; each uses one core. */
  readonly replicas: number
  /** Cores of the platform's machines and of the database, or cores that both share. */
  readonly cores: { readonly platform: number; readonly database: number } | { readonly shared: number }
  /** Executions in progress, of all replicas. */
  readonly concurrency: number
  /** How long the disk takes to make a commit durable. */
  readonly flushMs: number
}

/** How long a flush of the log takes: the value that fits the points below best. The only one of the simulation that was not measured itself. */
export const flushMs = 1.1

/** Measured on 2 cores that the platform, PostgreSQL and the clients share; processor time per execution as printed by the benchmark. */
const twoCores = { replicas: 1, cores: { shared: 2 }, concurrency: 50, flushMs } as const

export const measuredPoints: readonly MeasuredPoint[] = [
  {
    name: 'steps that compute',
    source: 'bench/engine, 16 November 2026',
    scenario: {
      ...twoCores,
      workload: { platformMs: 0.263, databaseMs: 0.256, commits: 2, notifies: false },
    },
    measured: 2396,
  },
  {
    name: 'steps that reach outside',
    source: 'bench/engine, 16 November 2026',
    scenario: {
      ...twoCores,
      workload: { platformMs: 0.415, databaseMs: 0.397, commits: 6, notifies: false },
    },
    measured: 1559,
  },
  {
    name: 'from the queue',
    source: 'bench/engine, 16 November 2026',
    scenario: {
      ...twoCores,
      concurrency: 200,
      workload: { platformMs: 0.356, databaseMs: 0.507, commits: 3, notifies: true },
    },
    measured: 1814,
  },
  // That day the processor time of PostgreSQL was not noted; it is that of the day before.
  {
    name: 'steps that compute, Neoverse-N1',
    source: 'bench/engine, 17 November 2026',
    scenario: {
      ...twoCores,
      workload: { platformMs: 0.366, databaseMs: 0.256, commits: 2, notifies: false },
    },
    measured: 2335,
  },
  {
    name: 'steps that reach outside, Neoverse-N1',
    source: 'bench/engine, 17 November 2026',
    scenario: {
      ...twoCores,
      workload: { platformMs: 0.502, databaseMs: 0.397, commits: 6, notifies: false },
    },
    measured: 1645,
  },
  {
    name: 'from the queue, Neoverse-N1',
    source: 'bench/engine, 17 November 2026',
    scenario: {
      ...twoCores,
      concurrency: 200,
      workload: { platformMs: 0.437, databaseMs: 0.507, commits: 3, notifies: true },
    },
    measured: 1664,
  },
]
