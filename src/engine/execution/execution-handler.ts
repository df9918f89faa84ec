import { type Database, retryWhenUnavailable } from '#kernel/database'
import { type Claim, databaseNow } from '#kernel/work'
import type { Purse } from '#models'
import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import type { FlowVersions } from '../flows/flow-versions.ts'
import type { Live } from '../live/live.ts'
import type { StepExecutor } from '../steps/step-run.ts'
import type { ExecutionEnd } from '../store/commit.ts'
import type { CommitWriter } from '../store/commit-writer.ts'
import { endFromOutside } from '../store/end-from-outside.ts'
import { loadExecution } from '../store/load-execution.ts'
import type { Memories } from '../store/memories.ts'
import { type ExecutionRow, executionQueue } from '../store/queue.ts'
import type { UnaddressedCommit } from './held-execution.ts'
import { runExecution } from './run-execution.ts'

export interface ExecutionHandlerOptions {
  readonly database: Database
  readonly runStep: StepExecutor<Step>
  readonly purseOf: (accountId: string) => Promise<Purse>
  readonly commits: CommitWriter
  readonly versions: FlowVersions
  readonly memories: Memories
  readonly live: Live
  readonly onEnded: (accountId: string) => void
  /** Whether somebody outside may want to hear of an execution. Asked whenever something has happened in it: listeners come and go. */
  readonly publishes: (execution: Pick<ExecutionRow, 'id' | 'account_id' | 'input'>) => Promise<boolean>
  /** Something was told for those outside. */
  readonly onPublished: () => void
}

export interface ExecutionHandler {
  /** Works on an execution that was claimed, to its end. */
  handle(claim: Claim<ExecutionRow>): Promise<ExecutionEnd>
  /** Looks whether executions that run here are to end: this one, or any of them. */
  lookForCancel(id?: string): Promise<void>
}

/** How long a commit is tried again while the database is away; longer, and others have taken over anyway. */
const commitWithinMs = 30_000

/** An execution that ended its workers this often is not tried any more. */
const mostClaims = 25

export function createExecutionHandler(options: ExecutionHandlerOptions): ExecutionHandler {
  const { database, runStep, purseOf, commits, versions, memories, live, onEnded, onPublished } = options
  /** What runs here, by execution; one may be there twice, anew and winding down. */
  const underWay = new Map<string, Set<AbortController>>()

  /** What a flow remembers is read once, when an execution of it begins, and is part of its input from then on. */
  async function withMemory(
    claim: Claim<ExecutionRow>,
    { id: flowId, global_configuration: global }: FlowDefinition,
  ): Promise<Claim<ExecutionRow>> {
    const { row } = claim
    const hasBegun = row.started_at !== null && row.adopted !== true
    if (global?.shared_memory_persistent !== true || hasBegun || row.forked_from !== null) return claim
    const kept = await memories.read(row.account_id, flowId)
    const input = { ...row.input, memory: { ...kept?.memory, ...row.input.memory } }
    await executionQueue.update(database, claim, { input, started_at: databaseNow })
    return { ...claim, row: { ...row, input } }
  }

  async function giveUp({ row }: Claim<ExecutionRow>): Promise<ExecutionEnd> {
    const end = {
      status: 'failed',
      error: {
        code: 'INTERNAL_ERROR',
        message: `Its worker ended ${mostClaims} times while it ran; it is not tried again.`,
      },
    } as const
    await database.transaction((transaction) => endFromOutside(transaction, versions, row.id, end))
    return end
  }

  async function writeFor(row: ExecutionRow, commit: UnaddressedCommit) {
    const publishes = commit.events.length > 0 && (await options.publishes(row))
    return { ...(await commits.write({ ...commit, publishes })), publishes }
  }

  async function run(claim: Claim<ExecutionRow>, cancelled: AbortController): Promise<ExecutionEnd> {
    const { id, flow_id: flowId, flow_version: version, account_id: accountId, cancel } = claim.row
    if (claim.attempt > mostClaims) return await giveUp(claim)
    if (cancel !== null) cancelled.abort(cancel)
    const definition = await versions.read(flowId, version)
    const held = await withMemory(claim, definition)
    const execution = await loadExecution(database, held, { definition, graph: versions.graphOf(definition) })
    return await runExecution({
      execution,
      runStep,
      async write(commit) {
        if (commit.steps.length > 0) await live.saidAll()
        const { publishes, ...outcome } = await retryWhenUnavailable(() => writeFor(claim.row, commit), {
          deadlineMs: commitWithinMs,
        })
        if (outcome.cancel !== null) cancelled.abort(outcome.cancel)
        if (commit.events.length > 0) live.advanced(id, commit.steps)
        if (publishes) onPublished()
        return outcome.written
      },
      account: await purseOf(accountId),
      onBegun: (step) => live.begun(id, step),
      onToken: (step, text) => live.token(id, step, text),
      onPhase: (step, phase) => live.phase(id, step, phase),
      signal: claim.signal,
      cancelled: cancelled.signal,
      keepMemory: (memory) => memories.keep(accountId, flowId, memory),
    })
  }

  return {
    async handle(claim) {
      const { id, account_id: accountId } = claim.row
      const cancelled = new AbortController()
      const here = underWay.get(id) ?? new Set()
      underWay.set(id, here.add(cancelled))
      try {
        const end = await run(claim, cancelled)
        onEnded(accountId)
        return end
      } finally {
        here.delete(cancelled)
        if (here.size === 0) underWay.delete(id)
        live.left(id)
      }
    },

    async lookForCancel(only) {
      const ids = only === undefined ? [...underWay.keys()] : underWay.has(only) ? [only] : []
      if (ids.length === 0) return
      const rows = await database.query<Pick<ExecutionRow, 'id' | 'cancel'>>(
        'select id, cancel from engine_executions where id = any($1::uuid[]) and cancel is not null',
        [ids],
      )
      for (const { id, cancel } of rows) for (const it of underWay.get(id) ?? []) it.abort(cancel)
    },
  }
}
