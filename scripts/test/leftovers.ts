/**
 * Every process of a test run has the mark of the run: in a variable that it inherits, PostgreSQL in the name of its data folder. So a run
 * ends what its tests left, and the next run what a killed run left. PostgreSQL ends by SIGQUIT without leaving shared memory; the others
 * get SIGTERM first, to remove their files.
 */
import { readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import { markOfFolder, runVariable } from '../../test/support/run-mark.ts'
import { type RunningProcess, readCommandOf, readProcesses, readVariableOf } from './processes.ts'

const termMs = 2_000
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Where tests make data folders: in memory where there is space, else in the temporary folder. */
const parents = ['/dev/shm', tmpdir()]

/**
 * Marks this process as a test run: processes that it starts from now on inherit the mark, and end with it. Nothing here waits for the
 * event loop, since Vite ends the process at once when a signal arrives.
 */
export function markRun(): void {
  process.env[runVariable] = markOf(process.pid, readProcesses())
  for (const name of signals)
    process.once(name, () => {
      console.log(`The test run was stopped by ${name}.`)
      process.exit(128 + constants.signals[name])
    })
  process.once('exit', endOwnRun)
}

/** Ends what the tests of this run have left, and removes their folders. */
export function endOwnRun(): void {
  const left = endProcesses(isOwn)
  if (left.length > 0) console.log(`Ended processes of the run: ${left.join(', ')}`)
  removeFolders(isOwn)
}

/** Ends the processes of runs that have ended, and removes their folders. */
export function endAbandonedRuns(): void {
  const processes = readProcesses()
  const isAbandoned = (mark: string) => mark !== markOf(Number.parseInt(mark, 10), processes)
  const left = endProcesses(isAbandoned)
  if (left.length > 0) console.log(`Ended processes of an earlier run: ${left.join(', ')}`)
  if (processes.size > 0) removeFolders(isAbandoned)
}

function isOwn(mark: string): boolean {
  return mark === process.env[runVariable]
}

function markOf(pid: number, processes: ReadonlyMap<number, RunningProcess>): string {
  return `${pid}-${processes.get(pid)?.started ?? 0}`
}

/** Returns the names of the processes. */
function endProcesses(isEnding: (mark: string) => boolean): readonly string[] {
  const find = () =>
    [...readProcesses().values()].filter(({ pid }) => {
      const mark = readVariableOf(pid, runVariable) ?? markOfFolder(readCommandOf(pid))
      return pid !== process.pid && mark !== undefined && isEnding(mark)
    })
  const ending = find()
  for (const { pid, name } of ending) send(pid, name === 'postgres' ? 'SIGQUIT' : 'SIGTERM')
  const deadline = performance.now() + termMs
  while (find().length > 0 && performance.now() < deadline) sleepSync(50)
  for (const { pid } of find()) send(pid, 'SIGKILL')
  return ending.map(({ name }) => name)
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}

function sleepSync(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

function removeFolders(isRemoved: (mark: string) => boolean): void {
  for (const parent of parents) {
    for (const name of readFolder(parent)) {
      const mark = markOfFolder(name)
      if (mark !== undefined && isRemoved(mark)) rmSync(join(parent, name), { recursive: true, force: true })
    }
  }
}

function readFolder(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
