import { readFile, statfs } from 'node:fs/promises'
import { cpus, freemem, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'

/** A sample of the machine and this process. Rates are since the previous sample; null where the system does not report them. */
export interface Sample {
  readonly cpuPercent: number | null
  /** Load average of the last minute. */
  readonly load: number
  readonly memoryPercent: number
  readonly memoryUsedBytes: number
  readonly memoryTotalBytes: number
  /** Of the disk of the data folder. */
  readonly diskPercent: number | null
  readonly diskReadPerSecond: number | null
  readonly diskWrittenPerSecond: number | null
  readonly networkInPerSecond: number | null
  readonly networkOutPerSecond: number | null
  /** Mean event loop delay of this process. */
  readonly eventLoopDelayMs: number
  /** 100 is one processor. */
  readonly processCpuPercent: number
  readonly processRssBytes: number
}

export interface Sampler {
  take(): Promise<Sample>
  close(): void
}

interface Counters extends IoCounters {
  readonly atMs: number
  readonly busyMs: number
  readonly allMs: number
  readonly processMicroseconds: number
}

const loopResolutionMs = 20

/** Samples the machine. The first sample covers the time since the call. */
export function createSampler(dataDir: string): Sampler {
  const loop = monitorEventLoopDelay({ resolution: loopResolutionMs })
  loop.enable()
  let before = readCounters()
  return {
    async take() {
      const [first, now, memory, disk] = await Promise.all([
        before,
        readCounters(),
        readMemory(),
        readDisk(dataDir),
      ])
      before = Promise.resolve(now)
      const seconds = Math.max(0.001, (now.atMs - first.atMs) / 1000)
      const perSecond = (counter: keyof IoCounters) => rateOf(first[counter], now[counter], seconds)
      return {
        cpuPercent: percentOf(now.busyMs - first.busyMs, now.allMs - first.allMs),
        load: loadavg()[0] ?? 0,
        memoryPercent: percentOf(memory.usedBytes, memory.totalBytes) ?? 0,
        memoryUsedBytes: memory.usedBytes,
        memoryTotalBytes: memory.totalBytes,
        diskPercent: disk,
        diskReadPerSecond: perSecond('diskRead'),
        diskWrittenPerSecond: perSecond('diskWritten'),
        networkInPerSecond: perSecond('networkIn'),
        networkOutPerSecond: perSecond('networkOut'),
        eventLoopDelayMs: takeDelay(loop),
        processCpuPercent: (now.processMicroseconds - first.processMicroseconds) / 1e4 / seconds,
        processRssBytes: process.memoryUsage.rss(),
      }
    },
    close: () => void loop.disable(),
  }
}

async function readCounters(): Promise<Counters> {
  const atMs = performance.now()
  let [busyMs, allMs] = [0, 0]
  for (const { times } of cpus()) {
    const all = times.user + times.nice + times.sys + times.idle + times.irq
    allMs += all
    busyMs += all - times.idle
  }
  const { user, system } = process.cpuUsage()
  return { atMs, busyMs, allMs, processMicroseconds: user + system, ...(await readIoCounters()) }
}

/** The used share of the space available to ordinary users, as in `df`. */
async function readDisk(folder: string): Promise<number | null> {
  try {
    const { blocks, bfree, bavail } = await statfs(folder)
    return percentOf(blocks - bfree, blocks - bfree + bavail)
  } catch {
    return null
  }
}

/** Null when a counter decreased, as after a device was replaced. */
function rateOf(before: number | null, now: number | null, seconds: number): number | null {
  return before === null || now === null || now < before ? null : (now - before) / seconds
}

function percentOf(part: number, whole: number): number | null {
  return whole <= 0 ? null : Math.min(100, Math.max(0, (part / whole) * 100))
}

/** The monitor measures from tick to tick, so every value includes its resolution. */
function takeDelay(loop: ReturnType<typeof monitorEventLoopDelay>): number {
  const lateMs = loop.count === 0 ? 0 : Math.max(0, loop.mean / 1e6 - loopResolutionMs)
  loop.reset()
  return lateMs
}

/** Bytes since the machine started; null where the system does not report them. */
interface IoCounters {
  readonly diskRead: number | null
  readonly diskWritten: number | null
  readonly networkIn: number | null
  readonly networkOut: number | null
}

/** Linux counts in sectors of this size, independent of the disk. */
const sectorBytes = 512

/** Whole disks only, because partitions and volumes would be counted twice. */
const wholeDisk = /^(?:[hsv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/

async function readIoCounters(): Promise<IoCounters> {
  const [disks, network] = await Promise.all([
    readOptionalFile('/proc/diskstats'),
    readOptionalFile('/proc/net/dev'),
  ])
  return { ...readDiskStats(disks ?? ''), ...readNetworkDevices(network) }
}

export function readDiskStats(text: string): Pick<IoCounters, 'diskRead' | 'diskWritten'> {
  const disks = text
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , name]) => name !== undefined && wholeDisk.test(name))
  if (disks.length === 0) return { diskRead: null, diskWritten: null }
  return { diskRead: sumOf(disks, 5) * sectorBytes, diskWritten: sumOf(disks, 9) * sectorBytes }
}

/** Without the loopback device. */
export function readNetworkDevices(text: string | undefined): Pick<IoCounters, 'networkIn' | 'networkOut'> {
  if (text === undefined) return { networkIn: null, networkOut: null }
  const devices = text.split('\n').flatMap((line) => {
    const [name, numbers] = line.split(':')
    return name === undefined || numbers === undefined || name.trim() === 'lo'
      ? []
      : [numbers.trim().split(/\s+/)]
  })
  return { networkIn: sumOf(devices, 0), networkOut: sumOf(devices, 8) }
}

function sumOf(rows: readonly (readonly string[])[], column: number): number {
  return rows.reduce((sum, row) => sum + Number(row[column] ?? 0), 0)
}

interface MemoryUse {
  readonly usedBytes: number
  /** Memory of the machine, or the limit of the container. */
  readonly totalBytes: number
}

/** Memory of the container if it is limited, else of the machine. Reclaimable page cache does not count as used. */
async function readMemory(): Promise<MemoryUse> {
  const machine = await readMachine()
  const container = await readContainer()
  return container !== undefined && container.totalBytes < machine.totalBytes ? container : machine
}

async function readMachine(): Promise<MemoryUse> {
  const totalBytes = totalmem()
  const available = /^MemAvailable:\s+(\d+) kB/m.exec((await readOptionalFile('/proc/meminfo')) ?? '')?.[1]
  return {
    totalBytes,
    usedBytes: totalBytes - (available === undefined ? freemem() : Number(available) * 1024),
  }
}

interface CgroupFiles {
  readonly limit: string
  readonly used: string
  /** The inactive page cache in `memory.stat`. */
  readonly cache: RegExp
}

const cgroup2: CgroupFiles = { limit: 'memory.max', used: 'memory.current', cache: /^inactive_file (\d+)$/m }
const cgroup1: CgroupFiles = {
  limit: 'memory.limit_in_bytes',
  used: 'memory.usage_in_bytes',
  cache: /^total_inactive_file (\d+)$/m,
}

/** Supports both versions of control groups, at the path of this process or, inside a container, at the root. */
async function readContainer(): Promise<MemoryUse | undefined> {
  const groups = (await readOptionalFile('/proc/self/cgroup')) ?? ''
  const path = /^0::(\/.*)$/m.exec(groups)?.[1] ?? '/'
  const oldPath = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1] ?? '/'
  const candidates = [
    { folder: join('/sys/fs/cgroup', path), files: cgroup2 },
    { folder: '/sys/fs/cgroup', files: cgroup2 },
    { folder: join('/sys/fs/cgroup/memory', oldPath), files: cgroup1 },
    { folder: '/sys/fs/cgroup/memory', files: cgroup1 },
  ]
  for (const { folder, files } of candidates) {
    const found = await readGroup(folder, files)
    if (found !== undefined) return found
  }
  return undefined
}

async function readGroup(folder: string, files: CgroupFiles): Promise<MemoryUse | undefined> {
  const [limit, used, stat] = await Promise.all(
    [files.limit, files.used, 'memory.stat'].map((file) => readOptionalFile(join(folder, file))),
  )
  const totalBytes = Number(limit)
  // `max` means no limit; then the memory of the machine counts.
  if (limit === undefined || used === undefined || !Number.isFinite(totalBytes)) return undefined
  const cache = Number(files.cache.exec(stat ?? '')?.[1] ?? 0)
  return { totalBytes, usedBytes: Math.max(0, Number(used) - cache) }
}

/** The text of a file; undefined when it does not exist. */
async function readOptionalFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch {
    return undefined
  }
}
