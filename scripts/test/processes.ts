import { readdirSync, readFileSync } from 'node:fs'

/** A process as Linux describes it in /proc. */
export interface RunningProcess {
  readonly pid: number
  readonly parent: number
  readonly name: string
  /** Processor seconds of the process and of its ended children. */
  readonly processorSeconds: number
  /** Its start, in ticks since the start of the machine: with the pid it names a process for good. */
  readonly started: number
}

/** Linux counts processor time in hundredths of a second for every program. */
const ticksPerSecond = 100

/** The processes of the machine; none where there is no /proc. */
export function readProcesses(): ReadonlyMap<number, RunningProcess> {
  const processes = new Map<number, RunningProcess>()
  if (process.platform !== 'linux') return processes
  for (const name of readdirSync('/proc')) {
    const pid = Number(name)
    const text = Number.isNaN(pid) ? undefined : readOf(pid, 'stat')
    if (text !== undefined) processes.set(pid, parseStat(pid, text))
  }
  return processes
}

/** Reads a line of /proc/PID/stat. The second field is the program's name in parentheses, which may contain spaces and parentheses. */
export function parseStat(pid: number, text: string): RunningProcess {
  const nameEnd = text.lastIndexOf(')')
  const fields = text.slice(nameEnd + 2).split(' ')
  const field = (position: number) => Number(fields[position - 3])
  return {
    pid,
    parent: field(4),
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    processorSeconds: (field(14) + field(15) + field(16) + field(17)) / ticksPerSecond,
    started: field(22),
  }
}

/** The variable's value when the process started; undefined when it has none, has ended or belongs to another user. */
export function readVariableOf(pid: number, variable: string): string | undefined {
  const entries = readOf(pid, 'environ')?.split('\0') ?? []
  return entries.find((entry) => entry.startsWith(`${variable}=`))?.slice(variable.length + 1)
}

/** The program and its arguments; an empty text when the process has ended. */
export function readCommandOf(pid: number): string {
  return readOf(pid, 'cmdline') ?? ''
}

function readOf(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Processor seconds of this process and of all processes below it, ended ones included. A process that outlived its parent is not
 * counted. Where there is no /proc, only this process is.
 */
export function readProcessorSeconds(): number {
  const processes = readProcesses()
  if (processes.size === 0) {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  }
  return sumBelow(processes, process.pid)
}

/** The processor seconds of a process and of all processes below it. */
export function sumBelow(processes: ReadonlyMap<number, RunningProcess>, root: number): number {
  const childrenOf = Map.groupBy(processes.values(), ({ parent }) => parent)
  let seconds = 0
  const found = [root]
  for (const pid of found) {
    seconds += processes.get(pid)?.processorSeconds ?? 0
    for (const child of childrenOf.get(pid) ?? []) found.push(child.pid)
  }
  return seconds
}
