import { freemem, totalmem } from 'node:os'
import { join } from 'node:path'
import { readIfThere } from './system-files.ts'

export interface MemoryUse {
  readonly usedBytes: number
  /** What there is: of the machine, or what the container may have. */
  readonly totalBytes: number
}

/** Memory of the container when it is limited, else of the machine. What can be given back at once does not count as used. */
export async function readMemory(): Promise<MemoryUse> {
  const machine = await readMachine()
  const container = await readContainer()
  return container !== undefined && container.totalBytes < machine.totalBytes ? container : machine
}

async function readMachine(): Promise<MemoryUse> {
  const totalBytes = totalmem()
  const available = /^MemAvailable:\s+(\d+) kB/m.exec((await readIfThere('/proc/meminfo')) ?? '')?.[1]
  return {
    totalBytes,
    usedBytes: totalBytes - (available === undefined ? freemem() : Number(available) * 1024),
  }
}

interface Layout {
  readonly limit: string
  readonly used: string
  /** The name of the page cache that is not in use, in `memory.stat`. */
  readonly cache: RegExp
}

const second: Layout = { limit: 'memory.max', used: 'memory.current', cache: /^inactive_file (\d+)$/m }
const first: Layout = {
  limit: 'memory.limit_in_bytes',
  used: 'memory.usage_in_bytes',
  cache: /^total_inactive_file (\d+)$/m,
}

/** Control groups of both versions, at the path of this process or, as inside a container, at the root. */
async function readContainer(): Promise<MemoryUse | undefined> {
  const groups = (await readIfThere('/proc/self/cgroup')) ?? ''
  const path = /^0::(\/.*)$/m.exec(groups)?.[1] ?? '/'
  const oldPath = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1] ?? '/'
  const places = [
    { folder: join('/sys/fs/cgroup', path), layout: second },
    { folder: '/sys/fs/cgroup', layout: second },
    { folder: join('/sys/fs/cgroup/memory', oldPath), layout: first },
    { folder: '/sys/fs/cgroup/memory', layout: first },
  ]
  for (const { folder, layout } of places) {
    const found = await readGroup(folder, layout)
    if (found !== undefined) return found
  }
  return undefined
}

async function readGroup(folder: string, layout: Layout): Promise<MemoryUse | undefined> {
  const [limit, used, stat] = await Promise.all(
    [layout.limit, layout.used, 'memory.stat'].map((file) => readIfThere(join(folder, file))),
  )
  const totalBytes = Number(limit)
  // `max` is no number: without a limit the machine's own memory counts.
  if (limit === undefined || used === undefined || !Number.isFinite(totalBytes)) return undefined
  const cache = Number(layout.cache.exec(stat ?? '')?.[1] ?? 0)
  return { totalBytes, usedBytes: Math.max(0, Number(used) - cache) }
}
