import type { Scenario } from './measurements.ts'

/** What a simulated second looks like. */
export interface SimulatedRates {
  readonly executionsPerSecond: number
  /** Statements that PostgreSQL commits; executions that wait at the same time share one. */
  readonly commitsPerSecond: number
  /** From the start of an execution to its end. */
  readonly meanMs: number
  /** Share of the time in which the cores of PostgreSQL, or the shared ones, are busy. */
  readonly coresBusy: number
  /** Share of the time in which a notifying commit holds the lock of the server. */
  readonly notifyBusy: number
}

/** Batches that the writer of one process has in progress: the next is sent before the previous one is acknowledged. */
const batchesInFlight = 2

/** The measured processes were idle for about a sixth of the time under full load: garbage collection, timers, switches. */
const pausePerWork = 1 / 0.85 - 1

/** A batch has at most so many executions. */
const maxBatch = 100

/** A resource that does a number of tasks at a time, in their order. */
interface Server {
  run(durationMs: number, done: () => void): void
  busyMs(): number
}

interface Execution {
  commitsLeft: number
  readonly startedAt: number
}

interface Events {
  now(): number
  /** The duration, between a half and one and a half of it: without variance batches would fall into step. */
  vary(durationMs: number): number
  after(delayMs: number, action: () => void): void
  runUntil(endMs: number): void
}

/**
 * A discrete-event simulation of replicas and one PostgreSQL. Every execution is a sequence of commits. A replica is one thread, and its writer
 * sends all executions that wait for a commit as one batch, at most two batches at a time. PostgreSQL processes a batch on a core and makes it durable with the next flush of its
 * log, which all commits share; a commit that notifies is alone from its processing to the end of its flush, as in PostgreSQL. Each execution
 * that ends is replaced, so that the number in progress is constant.
 */
export function simulate(scenario: Scenario, { warmUpMs = 500, measuredMs = 2000 } = {}): SimulatedRates {
  const { workload, replicas, cores, concurrency, flushMs } = scenario
  const platformMs = workload.platformMs / workload.commits
  const databaseMs = workload.databaseMs / workload.commits
  const events = createEvents()
  const databaseCores = createServer(events, 'shared' in cores ? cores.shared : cores.database)
  // On shared cores the platform competes with PostgreSQL; else it has its own.
  const platformCores = 'shared' in cores ? databaseCores : createServer(events, cores.platform)
  const flush = createFlush(events, flushMs)
  const notifyLock = createLock()
  const counts = { ended: 0, commits: 0, totalMs: 0, notifyMs: 0 }

  function addReplica(inProgress: number): void {
    const ready: Execution[] = []
    // New executions and outcomes of steps have a writer each, as in the platform.
    const writers = [true, false].map((isStart) => ({ isStart, waiting: [] as Execution[], underWay: 0 }))
    let isBusy = false
    const begin = () => ready.push({ commitsLeft: workload.commits, startedAt: events.now() })

    /** One thread does the work of one execution after the other. */
    function step(): void {
      const execution = isBusy ? undefined : ready.shift()
      if (execution === undefined) return
      isBusy = true
      platformCores.run(platformMs, () => {
        const isStart = execution.commitsLeft === workload.commits
        for (const writer of writers) if (writer.isStart === isStart) writer.waiting.push(execution)
        send()
        events.after(platformMs * pausePerWork, () => {
          isBusy = false
          step()
        })
      })
    }

    function send(): void {
      for (const writer of writers) {
        if (writer.underWay >= batchesInFlight || writer.waiting.length === 0) continue
        writer.underWay += 1
        commit(writer, writer.waiting.splice(0, maxBatch))
      }
    }

    function commit(writer: (typeof writers)[number], batch: readonly Execution[]): void {
      const work = (release: () => void) =>
        databaseCores.run(batch.length * databaseMs, () =>
          flush(() => {
            release()
            writer.underWay -= 1
            finish(batch)
          }),
        )
      if (!writer.isStart || !workload.notifies) return work(() => {})
      notifyLock((release) => {
        const from = events.now()
        work(() => {
          counts.notifyMs += events.now() - from
          release()
        })
      })
    }

    function finish(batch: readonly Execution[]): void {
      counts.commits += 1
      for (const execution of batch) {
        execution.commitsLeft -= 1
        if (execution.commitsLeft > 0) ready.push(execution)
        else {
          counts.ended += 1
          counts.totalMs += events.now() - execution.startedAt
          begin()
        }
      }
      send()
      step()
    }

    for (let index = 0; index < inProgress; index += 1) begin()
    step()
  }

  for (let index = 0; index < replicas; index += 1) {
    addReplica(Math.floor(concurrency / replicas) + (index < concurrency % replicas ? 1 : 0))
  }
  events.runUntil(warmUpMs)
  const before = { ...counts, busyMs: databaseCores.busyMs() }
  events.runUntil(warmUpMs + measuredMs)
  const ended = counts.ended - before.ended
  const coreCount = 'shared' in cores ? cores.shared : cores.database
  return {
    executionsPerSecond: (ended / measuredMs) * 1000,
    commitsPerSecond: ((counts.commits - before.commits) / measuredMs) * 1000,
    meanMs: (counts.totalMs - before.totalMs) / Math.max(1, ended),
    coresBusy: (databaseCores.busyMs() - before.busyMs) / measuredMs / coreCount,
    notifyBusy: (counts.notifyMs - before.notifyMs) / measuredMs,
  }
}

function createEvents(): Events {
  /** A binary heap by time, then by the order in which the actions were added. */
  const heap: { readonly at: number; readonly order: number; readonly action: () => void }[] = []
  let now = 0
  let added = 0
  const isBefore = (one: number, other: number) => {
    const [a, b] = [heap[one], heap[other]]
    return a !== undefined && b !== undefined && (a.at < b.at || (a.at === b.at && a.order < b.order))
  }
  function swap(one: number, other: number): void {
    const [a, b] = [heap[one], heap[other]]
    if (a === undefined || b === undefined) return
    heap[one] = b
    heap[other] = a
  }
  function takeFirst(): (() => void) | undefined {
    const first = heap[0]
    const last = heap.pop()
    if (first === undefined || last === undefined) return undefined
    if (heap.length > 0) heap[0] = last
    for (let at = 0; ; ) {
      let next = at
      for (const child of [2 * at + 1, 2 * at + 2]) if (isBefore(child, next)) next = child
      if (next === at) break
      swap(at, next)
      at = next
    }
    now = first.at
    return first.action
  }
  // A linear congruential generator: the same numbers in each run.
  let random = 1
  return {
    now: () => now,
    vary(durationMs) {
      random = (random * 48_271) % 2_147_483_647
      return durationMs * (0.5 + random / 2_147_483_647)
    },
    after(delayMs, action) {
      heap.push({ at: now + delayMs, order: added++, action })
      for (let at = heap.length - 1; at > 0; ) {
        const parent = (at - 1) >> 1
        if (!isBefore(at, parent)) break
        swap(at, parent)
        at = parent
      }
    },
    runUntil(endMs) {
      while ((heap[0]?.at ?? Number.POSITIVE_INFINITY) <= endMs) takeFirst()?.()
      now = endMs
    },
  }
}

function createServer(events: Events, size: number): Server {
  const queue: { readonly durationMs: number; readonly done: () => void }[] = []
  let running = 0
  let busyMs = 0
  function next(): void {
    if (running >= size) return
    const task = queue.shift()
    if (task === undefined) return
    running += 1
    const durationMs = events.vary(task.durationMs)
    events.after(durationMs, () => {
      running -= 1
      busyMs += durationMs
      task.done()
      next()
    })
  }
  return {
    run(durationMs, done) {
      queue.push({ durationMs, done })
      next()
    },
    busyMs: () => busyMs,
  }
}

/** One flush at a time; commits that arrive meanwhile share the next. */
function createFlush(events: Events, flushMs: number): (done: () => void) => void {
  let waiting: (() => void)[] = []
  let isFlushing = false
  function start(): void {
    const flushed = waiting
    waiting = []
    isFlushing = true
    events.after(events.vary(flushMs), () => {
      isFlushing = false
      for (const done of flushed) done()
      if (waiting.length > 0 && !isFlushing) start()
    })
  }
  return (done) => {
    waiting.push(done)
    if (!isFlushing) start()
  }
}

function createLock(): (work: (release: () => void) => void) => void {
  const queue: ((release: () => void) => void)[] = []
  let isHeld = false
  function next(): void {
    const work = queue.shift()
    if (work === undefined) return
    isHeld = true
    work(() => {
      isHeld = false
      next()
    })
  }
  return (work) => {
    queue.push(work)
    if (!isHeld) next()
  }
}
