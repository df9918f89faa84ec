import { statfs } from 'node:fs/promises'
import { cpus, loadavg } from 'node:os'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { type IoCounters, readIoCounters } from './io-counters.ts'
import { readMemory } from './memory.ts'

/** How the machine and this process are. Rates are those since the sample before; null where the system does not tell. */
export interface Sample {
  readonly cpuPercent: number | null
  /** Processes that wanted to run, on the average of the last minute. */
  readonly load: number
  readonly memoryPercent: number
  readonly memoryUsedBytes: number
  readonly memoryTotalBytes: number
  /** Of the disk that holds the data folder. */
  readonly diskPercent: number | null
  readonly diskReadPerSecond: number | null
  readonly diskWrittenPerSecond: number | null
  readonly networkInPerSecond: number | null
  readonly networkOutPerSecond: number | null
  /** How late the event loop of this process was, on the average. */
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

/** Measures the machine. The first sample tells of the time since this began. */
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

/** The share that is used of what an ordinary process can have, as `df` tells it. */
async function readDisk(folder: string): Promise<number | null> {
  try {
    const { blocks, bfree, bavail } = await statfs(folder)
    return percentOf(blocks - bfree, blocks - bfree + bavail)
  } catch {
    return null
  }
}

/** Counters that went back, as after a device was replaced, tell nothing. */
function rateOf(before: number | null, now: number | null, seconds: number): number | null {
  return before === null || now === null || now < before ? null : (now - before) / seconds
}

function percentOf(part: number, whole: number): number | null {
  return whole <= 0 ? null : Math.min(100, Math.max(0, (part / whole) * 100))
}

/** The monitor measures from one of its ticks to the next, so its own pause is part of every value. */
function takeDelay(loop: ReturnType<typeof monitorEventLoopDelay>): number {
  const lateMs = loop.count === 0 ? 0 : Math.max(0, loop.mean / 1e6 - loopResolutionMs)
  loop.reset()
  return lateMs
}
