import type { EventEmitter } from 'node:events'
import { UserError } from '#kernel/errors'
import { describeOpenTask } from '../remote/human-tasks.ts'
import type { PlatformApi } from '../remote/platform-api.ts'
import { inPath } from '../remote/remote-command.ts'
import { oneLine } from '../text.ts'
import { followStream } from './follow-stream.ts'
import { createProgressView, type ProgressView } from './progress-view.ts'
import { describeWait, type RunState, type Wait, waitsForOthers } from './run-state.ts'

interface FollowOptions {
  /** Whether standard error gets the progress. */
  readonly shows: boolean
  /** Whether Ctrl-C cancels the run, as the command that started it does. */
  readonly cancels?: boolean
  readonly signals?: EventEmitter
}

/**
 * Follows a run to its end, or until a signal ends this command. Returns whether the run ended.
 *
 * | signal          | command            | the run                            | effect                                             |
 * |-----------------|--------------------|------------------------------------|----------------------------------------------------|
 * | Ctrl-C          | started the run    | is queued or works                 | cancels the run and follows to its end; twice: leaves |
 * | Ctrl-C          | started the run    | waits for a person, event or time  | leaves                                             |
 * | Ctrl-C          | follows it only    | any                                | leaves                                             |
 * | SIGTERM, SIGHUP | any                | any                                | leaves                                             |
 *
 * Leaving prints how to follow the run again. A run outlives the terminal, the connection and the job that followed it: only the
 * person who started it, at the terminal, cancels it, and not one that may be answered in a month.
 */
export async function followUntilLeft(
  api: PlatformApi,
  id: string,
  { shows, cancels = false, signals = process }: FollowOptions,
): Promise<boolean> {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  const handlers = {
    SIGINT: cancels ? cancelOrLeave(api, id, leave) : leave,
    SIGTERM: leave,
    SIGHUP: leave,
  }
  for (const [name, handle] of Object.entries(handlers)) signals.on(name, handle)
  try {
    await followToEnd(api, id, { signal: leaving.signal, shows })
    return true
  } catch (error) {
    if (!leaving.signal.aborted) throw error
    console.error(`tutti: the run continues. Follow it again: npx tutti runs show ${id} --follow${api.flags}`)
    console.error(`tutti: Cancel it: npx tutti runs cancel ${id}${api.flags}`)
    return false
  } finally {
    for (const [name, handle] of Object.entries(handlers)) signals.off(name, handle)
  }
}

/** A second signal so soon after the first is the same Ctrl-C: the terminal sends it, and npx passes it on once more. */
const sameSignalMs = 1000

function cancelOrLeave(api: PlatformApi, id: string, leave: () => void): () => void {
  let firstAt: number | undefined
  return () => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      void cancelUnlessWaiting(api, id, leave)
    } else if (performance.now() - firstAt > sameSignalMs) leave()
  }
}

async function cancelUnlessWaiting(api: PlatformApi, id: string, leave: () => void): Promise<void> {
  try {
    if (waitsForOthers(await readState(api, id))) return leave()
    console.error('tutti: cancelling; Ctrl-C once more leaves the run alone.')
    const body = { reason: 'interrupted at the terminal' }
    await api.call(`/executions/${inPath(id)}/cancel`, { method: 'POST', body })
  } catch (error) {
    const reason = error instanceof UserError ? error.message : String(error)
    console.error(`tutti: it could not be cancelled: ${oneLine(reason)}`)
  }
}

/** Waits for the end of an execution. Standard error gets its progress when that is wanted, and always what it waits for. */
async function followToEnd(
  api: PlatformApi,
  id: string,
  { signal, shows }: { readonly signal: AbortSignal; readonly shows: boolean },
): Promise<void> {
  const view = shows ? createProgressView(process.stderr) : undefined
  const waits = createWaitPrinter(api, id, view)
  try {
    for await (const event of followStream(api, inPath(id), signal)) {
      view?.take(event)
      const { event: type, data } = event
      if (type === 'wait_opened' && data['kind'] === 'human')
        await waits.printQuestion(String(data['wait_id']))
      if (type === 'execution_suspended') await waits.printAll()
    }
  } finally {
    view?.close()
  }
}

/** Waits that are printed one by one; a batch may have thousands. */
const maxPrinted = 5

/** Prints each open wait once: the events of a stream may be of the past, so what is open now is asked of the platform. */
function createWaitPrinter(api: PlatformApi, id: string, view: ProgressView | undefined) {
  const printed = new Set<string>()
  const say = (text: string) => (view === undefined ? console.error(text) : view.say(text))
  return {
    async printQuestion(task: string): Promise<void> {
      const question = await describeOpenTask(api, task)
      if (question === undefined) return
      printed.add(task)
      say(question)
    },
    async printAll(): Promise<void> {
      const { suspended } = await readState(api, id)
      const fresh = (suspended?.waits ?? []).filter((wait) => !printed.has(keyOf(wait)))
      for (const wait of fresh) printed.add(keyOf(wait))
      for (const wait of fresh.slice(0, maxPrinted)) say(`tutti: ${describeWait(wait, api)}`)
      const more = fresh.length - maxPrinted
      if (more > 0) say(`tutti: ${more} more: npx tutti runs show ${id}${api.flags}`)
    },
  }
}

function keyOf({ human_task_id: task, step_id, item, until }: Wait): string {
  return task ?? JSON.stringify([step_id, item, until])
}

function readState(api: PlatformApi, id: string): Promise<RunState> {
  return api.call<RunState>(`/execution-status/${inPath(id)}`, { query: { include_memory: false } })
}
