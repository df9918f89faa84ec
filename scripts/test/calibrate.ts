import { readProcesses } from './processes.ts'

/** Rounds in `durationMs` on a quiet x64 core at 2.5 GHz. */
const referenceRounds = 7000
const durationMs = 200
const maxPatience = 4
/** A program that is named as busy uses at least this share of a core. */
const minBusyShare = 0.25

interface Calibration {
  /** How many times as much time this machine needs now as a quiet one: 1 to 4. */
  readonly patience: number
  /** Programs that used the processors meanwhile, with the share of a core. */
  readonly busy: readonly string[]
}

/** Measures for 200 ms how fast this process gets on. */
export function calibrate(): Calibration {
  const before = readProcesses()
  countRounds(durationMs / 4)
  const startedMs = performance.now()
  const rounds = countRounds(durationMs)
  const seconds = (performance.now() - startedMs) / 1000
  const busy = [...readProcesses().values()].flatMap(({ pid, name, processorSeconds }) => {
    const share = (processorSeconds - (before.get(pid)?.processorSeconds ?? processorSeconds)) / seconds
    return pid === process.pid || share < minBusyShare ? [] : [`${name} ${Math.round(share * 100)} %`]
  })
  return { patience: patienceFor(rounds), busy }
}

/**
 * Rounded up to quarters: runs on the same machine have the same patience, and milliseconds multiplied by it stay whole, as timeouts of
 * processes must be (110,000 × 1.1 is not).
 */
export function patienceFor(rounds: number): number {
  const factor = referenceRounds / Math.max(1, rounds)
  return Math.ceil(Math.min(Math.max(factor, 1), maxPatience) * 4) / 4
}

function countRounds(forMs: number): number {
  const sample = JSON.stringify(
    Array.from({ length: 50 }, (_, id) => ({ id, name: `item ${id}`, tags: ['a'] })),
  )
  const endMs = performance.now() + forMs
  let rounds = 0
  while (performance.now() < endMs) {
    JSON.stringify(JSON.parse(sample))
    rounds += 1
  }
  return rounds
}
