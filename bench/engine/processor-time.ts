import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

interface ProcessTimes {
  readonly parent: number
  readonly ms: number
}

/**
 * Processor time in milliseconds of a process and its descendants, except those of `without`. NaN on other systems than Linux.
 */
export function processorMs(root: number, without?: number): number {
  if (process.platform !== 'linux') return Number.NaN
  const times = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name): [number, ProcessTimes][] => {
        const read = readTimes(Number(name))
        return read === undefined ? [] : [[Number(name), read]]
      }),
  )
  const isBelow = (pid: number): boolean => {
    if (pid === without) return false
    if (pid === root) return true
    const parent = times.get(pid)?.parent
    return parent !== undefined && parent > 1 && isBelow(parent)
  }
  return [...times].reduce((sum, [pid, { ms }]) => (isBelow(pid) ? sum + ms : sum), 0)
}

/** Processor time of the process and its ended children; undefined when it has ended meanwhile. */
function readTimes(pid: number): ProcessTimes | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { parent: Number(fields[1]), ms: (ticks * 1000) / ticksPerSecond }
  } catch {
    return undefined
  }
}
