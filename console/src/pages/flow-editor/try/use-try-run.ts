import { queryOptions, type UseQueryResult, useQueries, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { type Api, bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { readObject } from '../../execution/read-object.ts'
import { useLiveRun } from '../../execution/use-live-run.ts'
import { type StepDetail, stepQuery, type Trace, traceQuery } from '../../executions/execution-queries.ts'
import { isUnderWay } from '../../executions/execution-words.ts'
import { inputOf } from '../../workflow/sample-context.ts'
import type { DraftDefinition, FlowDocument } from '../document/flow-document.ts'
import type { FlowEditor } from '../document/flow-editor.ts'
import { isSameJson, type Json, type JsonObject } from '../document/json.ts'
import type { Origin } from '../origin.ts'
import { draftName } from '../save/drafts.ts'
import { createShelf } from '../save/shelf.ts'
import { contextReads } from './context-reads.ts'
import { type Outcome, type TryRun, tryRunOf } from './try-run.ts'

/** The test run of the draft, and its controls. */
export interface Trying {
  readonly tried: TryRun | null
  /** The sample input; null while it is not a JSON object. */
  readonly sample: JsonObject | null
  readonly input: Sample
  readonly isOpen: boolean
  readonly open: () => void
  readonly close: () => void
  /** Called when an execution of this definition was queued. */
  readonly began: (execution: string, definition: DraftDefinition) => void
  /** Removes the test run from the canvas. */
  readonly clear: () => void
}

interface TryOptions {
  readonly account: string
  readonly origin: Origin
  readonly requiredInputs: readonly string[]
}

interface Begun {
  readonly execution: string
  readonly definition: DraftDefinition
  /** The streamed texts of the previous run, which this run must not show. */
  readonly textsBefore: ReadonlyMap<string, string>
}

const noTexts: ReadonlyMap<string, string> = new Map()

/** While a run is in progress, details are requested for this many steps, the latest; its result has all others. */
const maxDetails = 8

export function useTryRun(editor: FlowEditor, { account, origin, requiredInputs }: TryOptions): Trying {
  const api = useApi()
  const [begun, setBegun] = useState<Begun | null>(null)
  const [isOpen, setOpen] = useState(false)
  const { document } = useSyncExternalStore(editor.subscribe, editor.read)
  const input = useSample(account, origin, { document, requiredInputs })
  const execution = begun?.execution ?? ''
  const { data: trace } = useQuery({ ...traceQuery(api, { execution }), enabled: begun !== null })
  const underWay = begun !== null && (trace === undefined || isUnderWay(trace.status))
  const { texts } = useLiveRun(execution, 0, underWay)
  const details = useQueries({
    queries: (underWay && trace !== undefined ? latestOf(trace) : []).map((step) =>
      stepQuery(api, { execution, step, item: 0 }),
    ),
    combine: byStep,
  })
  const { data: outcome } = useQuery({
    ...outcomeQuery(api, execution),
    enabled: begun !== null && !underWay,
  })
  const { definition } = document
  const isOfOlderDraft = begun !== null && !runsAlike(definition, begun.definition)

  const now = useMemo(() => {
    if (begun === null) return null
    const heard = texts === begun.textsBefore ? noTexts : texts
    return tryRunOf({ execution: begun.execution, trace, texts: heard, details, outcome, isOfOlderDraft })
  }, [begun, trace, texts, details, outcome, isOfOlderDraft])
  // Model output arrives in many small pieces; deferring it keeps typing responsive.
  const tried = useDeferredValue(now)

  return {
    tried,
    sample: input.value,
    input,
    isOpen,
    open: () => setOpen(true),
    close: () => setOpen(false),
    began: (started, tested) => setBegun({ execution: started, definition: tested, textsBefore: texts }),
    clear: () => setBegun(null),
  }
}

/** The IDs of the steps that started last, running ones first. */
function latestOf({ steps }: Trace): readonly string[] {
  return steps
    .filter(({ state }) => state === 'running' || state === 'completed')
    .toSorted((left, right) => latenessOf(right) - latenessOf(left))
    .slice(0, maxDetails)
    .map(({ step_id }) => step_id)
}

function latenessOf({ state, started_at: started }: Trace['steps'][number]): number {
  return state === 'running' ? Number.POSITIVE_INFINITY : (started ?? 0)
}

function byStep(results: UseQueryResult<StepDetail>[]): ReadonlyMap<string, StepDetail> {
  return new Map(results.flatMap(({ data }) => (data === undefined ? [] : [[data.step_id, data] as const])))
}

/** Whether two drafts would run the same; their names make no difference. */
export function runsAlike(left: DraftDefinition, right: DraftDefinition): boolean {
  return isSameJson({ ...left, id: '', label: '' }, { ...right, id: '', label: '' })
}

/** The output of a finished execution. */
function outcomeQuery(api: Api, execution: string) {
  return queryOptions({
    queryKey: ['executions', 'outcome', execution],
    queryFn: async ({ signal }): Promise<Outcome> => {
      const body = await bodyOf(
        api.client.GET('/ai-workflows/api/executions/{execution_id}', {
          signal,
          params: { path: { execution_id: execution } },
        }),
      )
      const results = 'step_results' in body ? Object.entries(body.step_results) : []
      return {
        error: body.error === null ? null : { code: body.error.code, message: body.error.message },
        made: new Map(results.map(([id, { results: made }]) => [id, made as Json])),
      }
    },
    // Structural sharing does not support a Map.
    structuralSharing: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

const maxSamples = 50

/** The sample input of test runs, stored in this browser. */
interface Sample {
  readonly text: string
  readonly change: (text: string) => void
  /** Null while the text is not a JSON object; then `problem` has the reason. */
  readonly value: JsonObject | null
  readonly problem: string | undefined
}

interface SampledFlow {
  readonly document: FlowDocument
  readonly requiredInputs: readonly string[]
}

function useSample(account: string, origin: Origin, { document, requiredInputs }: SampledFlow): Sample {
  const [shelf] = useState(() =>
    createShelf({ storage: () => window.localStorage, heading: 'tutti-flow-samples', most: maxSamples }),
  )
  const name = draftName(account, origin)
  const [typed, setTyped] = useState(() => {
    const kept = shelf.read(name)?.value
    return typeof kept === 'string' ? kept : null
  })
  useEffect(() => {
    if (typed !== null) shelf.write(name, typed)
  }, [shelf, name, typed])

  // The sample follows the flow until it is edited.
  const text = useMemo(
    () =>
      typed ??
      JSON.stringify(
        inputOf(origin.document.metadata, [...contextReads(document), ...requiredInputs]),
        null,
        2,
      ),
    [typed, origin, document, requiredInputs],
  )
  const read = useMemo(() => readObject(text), [text])
  return {
    text,
    change: setTyped,
    value: (read.value as JsonObject | undefined) ?? null,
    problem: read.problem,
  }
}
