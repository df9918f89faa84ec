import { readIfThere } from './system-files.ts'

/** Bytes since the machine started; null where the system does not tell. */
export interface IoCounters {
  readonly diskRead: number | null
  readonly diskWritten: number | null
  readonly networkIn: number | null
  readonly networkOut: number | null
}

/** The kernel counts in these, whatever the disk has. */
const sectorBytes = 512

/** Whole disks: their partitions, and what is made of them, would be counted twice. */
const wholeDisk = /^(?:[hsv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+)$/

export async function readIoCounters(): Promise<IoCounters> {
  const [disks, network] = await Promise.all([readIfThere('/proc/diskstats'), readIfThere('/proc/net/dev')])
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

/** What the machine says to itself is no traffic. */
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
