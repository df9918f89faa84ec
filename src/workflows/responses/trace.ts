import {
  describeGraph,
  type ExecutionRecord,
  executionMs,
  idleSpans,
  type NestedCounts,
  rulesOf,
  type ScopePage,
  type TracedScope,
  traceExecution,
} from '#engine'
import { describeWaits, responses, units } from '#executions-api'

type Edge = ReturnType<typeof describeGraph>['edges'][number]
type StepTrace = ReturnType<typeof traceExecution>[number]

const noDetails: ExecutionRecord['outcomes'][number]['details'] = {}

/** The part of an execution that is traced. */
export interface TracedPart {
  /** The container or scope; null for the flow itself. */
  readonly within: string | null
  /** The steps of a scope; undefined: those of the flow itself. */
  readonly scope?: TracedScope | undefined
  /** The scopes of a container, in place of steps. */
  readonly page?: ScopePage | undefined
  /** The ended scopes of containers, by step path. */
  readonly counts: ReadonlyMap<string, NestedCounts>
}

/** The trace of an execution or of a part of it, for one item of a batch. */
export function describeTrace(record: ExecutionRecord, item: number, part: TracedPart, now: Date) {
  const { within, scope, page, counts } = part
  const traced = { ...record, ...scope }
  const path = scope?.path ?? ''
  const traces = page === undefined ? traceExecution(traced, item, scope?.outer) : []
  const elapsedMs = executionMs(record, now)
  const byId = new Map(traces.map((trace) => [trace.step.id, trace]))
  const edges = page === undefined ? describeGraph(traced.definition).edges : []
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    flow_label: record.definition.label,
    status: record.status,
    item,
    items: record.input.batch?.items.length ?? 0,
    created_at: preciseSeconds(record.createdAt),
    started_at: maybeSeconds(record.startedAt),
    finished_at: maybeSeconds(record.finishedAt),
    execution_time: units.seconds(elapsedMs),
    as_of: preciseSeconds(now),
    idle: idleSpans(record, now).map(({ from, to, reason }) => ({
      from: preciseSeconds(from),
      to: preciseSeconds(to),
      reason,
    })),
    account_id: record.accountId,
    trigger: triggerOf(record),
    approval:
      record.approval === null
        ? null
        : {
            state: record.approval,
            by: record.approvalBy,
            at: maybeSeconds(record.approvalAt),
            note: record.approvalNote,
          },
    waits: describeWaits(record),
    forked_from: record.forkedFrom,
    rerun_of: record.rerunOf,
    forked_at_step: record.forkedAtStep,
    edges: edges.map((edge) => ({
      ...edge,
      from: `${path}${edge.from}`,
      to: `${path}${edge.to}`,
      taken: isTaken(edge, byId),
    })),
    steps: traces.map((trace) => describeStep(trace, path, counts)),
    memory: page === undefined ? describeGrowth(traced, item) : [],
    decisions:
      page === undefined
        ? responses.describeAgentDecisions({
            ...record,
            outcomes: traced.outcomes.filter((outcome) => outcome.item === item),
          })
        : [],
    within,
    scopes: (page?.scopes ?? []).map(({ index, state, label, startedAt, finishedAt, spent, error }) => ({
      index,
      state,
      label,
      started_at: maybeSeconds(startedAt),
      finished_at: maybeSeconds(finishedAt),
      ...responses.costOf([{ spent }]),
      error,
    })),
    scopes_total: page?.total ?? 0,
  }
}

function triggerOf({ scheduleId, triggerId, rerunOf, forkedFrom }: ExecutionRecord) {
  if (scheduleId !== null) return 'schedule' as const
  if (triggerId !== null) return 'trigger' as const
  if (rerunOf !== null) return 'rerun' as const
  return forkedFrom === null ? ('request' as const) : ('fork' as const)
}

/** One step with all that went in and came out. */
export function describeStepTrace(
  record: ExecutionRecord,
  trace: StepTrace,
  { item, path, counts }: { readonly item: number; readonly path: string } & Pick<TracedPart, 'counts'>,
) {
  const { step, outcome } = trace
  const stepId = `${path}${step.id}`
  const input = isForgotten(record) ? undefined : trace.readInput()
  return {
    execution_id: record.id,
    item,
    ...describeStep(trace, path, counts),
    asked: input?.request ?? null,
    text_so_far:
      trace.state === 'running'
        ? (record.live.find((live) => live.stepId === stepId && live.item === item)?.text ?? '')
        : null,
    output: outcome?.state === 'completed' ? (outcome.output ?? null) : null,
    memory_before: input?.memory ?? null,
    details: outcome === undefined ? {} : ownDetails(outcome.details),
    definition: step,
  }
}

function describeStep({ step, outcome, ...trace }: StepTrace, path: string, counts: TracedPart['counts']) {
  const { usage, confidence, quality } = outcome?.details ?? noDetails
  return {
    step_id: `${path}${step.id}`,
    label: step.label ?? null,
    step_type: step.type,
    state: trace.state,
    on_demand: trace.onDemand,
    ready_at: maybeSeconds(trace.readyAt),
    started_at: maybeSeconds(trace.startedAt),
    finished_at: maybeSeconds(trace.finishedAt),
    attempts: trace.attempts.map(({ run, number: attempt, startedAt, finishedAt, error }) => ({
      run,
      number: attempt,
      started_at: preciseSeconds(startedAt),
      finished_at: maybeSeconds(finishedAt),
      error,
    })),
    input_tokens: usage?.inputTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    ...responses.costOf(outcome === undefined ? [] : [outcome]),
    ai_provider: usage?.provider ?? null,
    model_used: usage?.model ?? null,
    cache_hits: usage?.cacheHits ?? 0,
    confidence: units.roundedShare(confidence ?? null),
    quality: units.roundedScore(quality ?? null),
    output_to_memory: step.output_to_memory ?? null,
    skipped_because: outcome?.state === 'skipped' ? (outcome.details['reason'] as string) : null,
    reused_from: (outcome?.details['reused_from'] as string | undefined) ?? null,
    nested: counts.get(`${path}${step.id}`) ?? null,
    error: outcome?.error ?? null,
  }
}

/** Whether the edge was chosen; null before the choice, and for edges without one. */
function isTaken({ from, to, kind }: Edge, traces: ReadonlyMap<string, StepTrace>): boolean | null {
  const outcome = traces.get(from)?.outcome
  if (kind !== 'chooses' || outcome === undefined || outcome.state === 'skipped') return null
  const { choice } = outcome
  if (choice === null) return false
  if (choice.kind === 'jump') return choice.target === to
  return choice.next === to || (choice.kind === 'route' && choice.added.includes(to))
}

/** What steps left for others, in the order they did. */
function describeGrowth(
  { definition, outcomes }: Pick<ExecutionRecord, 'definition' | 'outcomes'>,
  item: number,
) {
  const keys = new Map(definition.steps.map(({ id, output_to_memory: key }) => [id, key]))
  return outcomes.flatMap((outcome) => {
    const key = keys.get(outcome.stepId)
    if (key === undefined || outcome.item !== item || outcome.state !== 'completed') return []
    const bytes = Buffer.byteLength(JSON.stringify(outcome.output) ?? '')
    return [{ key, step_id: outcome.stepId, at: preciseSeconds(outcome.finishedAt), bytes }]
  })
}

/** Outputs between first and last are gone once it is over, where the flow or the caller wanted that. */
function isForgotten({ definition, input, startedAt, status }: ExecutionRecord): boolean {
  const isOver = status === 'completed' || status === 'cancelled'
  return isOver && !rulesOf(definition, input, startedAt ?? new Date()).keepsOutputs
}

const ownResponseFields = new Set([
  'cpu_ms',
  'usage',
  'confidence',
  'quality',
  'decision',
  'reason',
  'reused_from',
  'aborted',
  'ended_scope',
])

function ownDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !ownResponseFields.has(name)))
}

/** With its milliseconds: steps are often shorter than a second. */
function preciseSeconds(moment: Date): number {
  return units.seconds(moment.getTime())
}

function maybeSeconds(moment: Date | null): number | null {
  return moment === null ? null : preciseSeconds(moment)
}
