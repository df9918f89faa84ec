import { randomUUID } from 'node:crypto'
import { open, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Probe, ProbeResult } from '../services/service.ts'

interface DiskProbeOptions {
  readonly dataDir: string
  /** How full it may be, in percent. */
  readonly limits: { readonly degraded_percent: number; readonly offline_percent: number }
}

/** Looks how full the disk of the data folder is, and writes a few bytes to it. */
export function createDiskProbe({ dataDir, limits }: DiskProbeOptions): Probe {
  return async () => {
    const folder = await nearestFolder(dataDir)
    const { blocks, bfree, bavail } = await statfs(folder)
    const usable = blocks - bfree + bavail
    const percent = usable === 0 ? 0 : ((blocks - bfree) / usable) * 100
    // Only where files of ours belong: with a database elsewhere there may be no such folder.
    const trouble = folder === dataDir ? await writeTo(folder) : undefined
    if (trouble !== undefined) return { state: 'offline', problem: trouble }
    return judgeFill(percent, limits)
  }
}

function judgeFill(percent: number, limits: DiskProbeOptions['limits']): ProbeResult {
  const problem = `The disk of the data folder is ${percent.toFixed(1)} % full.`
  if (percent >= limits.offline_percent) return { state: 'offline', problem }
  if (percent >= limits.degraded_percent) return { state: 'degraded', problem }
  return { state: 'online', problem: null }
}

async function writeTo(folder: string): Promise<string | undefined> {
  const file = join(folder, `.probe-${randomUUID()}`)
  try {
    await using written = await open(file, 'wx')
    await written.writeFile('tutti')
    await written.sync()
    return undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    return `Nothing can be written to the data folder (${code}).`
  } finally {
    await rm(file, { force: true })
  }
}

/** The folder, or the nearest above it that is there. */
async function nearestFolder(folder: string): Promise<string> {
  try {
    if ((await stat(folder)).isDirectory()) return folder
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  const above = dirname(folder)
  return above === folder ? folder : await nearestFolder(above)
}
