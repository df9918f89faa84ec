import type { ApiFailure } from '../../../api/api-failure.ts'
import type { paths } from '../../../api/schema.generated.ts'
import type { FlowDocument } from '../document/flow-document.ts'
import type { UnreadCode } from '../document/flow-editor.ts'
import { placeOfStep, stepAtPath } from '../document/scopes.ts'
import type { FlowProblem } from './problem.ts'

type Check = paths['/ai-workflows/api/flows/validate']['post']

/** The request; a draft is sent as it is, valid or not. */
export type CheckBody = Check['requestBody']['content']['application/json']
export type CheckAnswer = Check['responses'][200]['content']['application/json']

/** Dollars and seconds of one execution, each null where unknown, and their sources. */
export interface FlowEstimate {
  readonly cost: number | null
  readonly seconds: number | null
  readonly from: NonNullable<CheckAnswer['flow_summary']>['estimated_from']
}

/** The server's validation of the draft. */
export interface Validation extends CheckResult {
  /** Requests the validation of the same draft again. */
  readonly checkAgain: () => void
}

interface CheckResult {
  /** `stale`: the draft changed since; `unreachable`: there is no newer result, and `trouble` has the reason. */
  readonly state: 'stale' | 'checked' | 'unreachable'
  readonly problems: readonly FlowProblem[]
  readonly requiredInputs: readonly string[]
  /** Null while the flow has problems. */
  readonly estimate: FlowEstimate | null
  /** Whether another flow has this ID. */
  readonly idTaken: boolean
  /** Why the request failed, in a sentence or two. */
  readonly trouble: string | null
}

/** The validation result of a document. */
interface Said extends Pick<CheckResult, 'problems' | 'requiredInputs' | 'estimate' | 'idTaken'> {
  readonly document: FlowDocument
}

/** The responses so far: the last result, and why a later request failed. */
export interface Knowledge {
  readonly said: Said | null
  readonly trouble: { readonly document: FlowDocument; readonly words: string } | null
}

export const nothingKnown: Knowledge = { said: null, trouble: null }

export function afterAnswer(document: FlowDocument, answer: CheckAnswer): Knowledge {
  const { validation_results: results, flow_summary: summary } = answer
  const problems = [
    ...results.errors.map((finding) => ({ severity: 'error', ...finding }) as const),
    ...results.warnings.map((finding) => ({ severity: 'warning', ...finding }) as const),
  ]
  const estimate =
    summary === null
      ? null
      : {
          cost: summary.estimated_cost,
          seconds: summary.estimated_duration,
          from: summary.estimated_from,
        }
  const { required_inputs: requiredInputs } = results
  return {
    said: {
      document,
      problems,
      requiredInputs,
      estimate,
      // A draft without an ID is validated under a temporary one.
      idTaken: answer.id_taken && document.definition.id !== '',
    },
    trouble: null,
  }
}

/** A refusal of the draft itself becomes a problem of it; any other failure keeps the previous result. */
export function afterFailure(known: Knowledge, document: FlowDocument, failure: ApiFailure): Knowledge {
  const { status, code, message, problems } = failure
  if (![400, 413, 422].includes(status)) {
    const next = failure.retryable ? ' The check is retried automatically.' : ''
    return { ...known, trouble: { document, words: `${message}${next}` } }
  }
  const told =
    problems.length === 0
      ? [{ severity: 'error', path: '', message, code } as const]
      : problems.map(
          ({ path, message: words }) =>
            ({ severity: 'error', path: withoutBody(path), message: words, code }) as const,
        )
  return {
    said: { document, problems: told, requiredInputs: [], estimate: null, idTaken: false },
    trouble: null,
  }
}

/** Paths of a refused body start at the body: `flow_definition.steps`. */
function withoutBody(path: string): string {
  return path.replace(/^flow_definition\.?/, '')
}

/** The delay before the next request; undefined when only a change can help. */
export function retryDelayMs(
  failure: Pick<ApiFailure, 'retryable'>,
  { attempt, retryAfter }: { readonly attempt: number; readonly retryAfter: string | null },
): number | undefined {
  if (!failure.retryable) return undefined
  const asked = Number(retryAfter ?? Number.NaN)
  if (Number.isFinite(asked) && asked > 0) return asked * 1_000
  return Math.min(1_000 * 2 ** attempt, 30_000)
}

/**
 * The validation result for the current document.
 *
 * | state       | when                                                                        |
 * | ----------- | --------------------------------------------------------------------------- |
 * | checked     | the last result is for this very document, or the document has no steps     |
 * | unreachable | the request for this document failed                                        |
 * | stale       | otherwise; the last problems stay, at the current indexes of their steps    |
 */
export function readKnowledge(
  { said, trouble }: Knowledge,
  document: FlowDocument,
  unread: UnreadCode | null,
): CheckResult {
  const unreadable = unread === null ? [] : [problemOfCode(unread)]
  if (document.definition.steps.length === 0) {
    return {
      state: 'checked',
      problems: unreadable,
      requiredInputs: [],
      estimate: null,
      idTaken: false,
      trouble: null,
    }
  }
  const isTrouble = trouble?.document === document
  return {
    state: isTrouble ? 'unreachable' : said?.document === document ? 'checked' : 'stale',
    problems: [...unreadable, ...(said === null ? [] : problemsNow(said, document))],
    requiredInputs: said?.requiredInputs ?? [],
    estimate: said?.estimate ?? null,
    idTaken: said?.idTaken === true && said.document.definition.id === document.definition.id,
    trouble: isTrouble ? trouble.words : null,
  }
}

/** The problem code of invalid JSON, which is never sent to the server. */
export const unreadableCode = 'unreadable_code'

function problemOfCode({ problem }: UnreadCode): FlowProblem {
  return { severity: 'error', path: '', message: problem, code: unreadableCode }
}

/** The problems with the current positions of their steps; those of removed steps are dropped. */
function problemsNow({ problems, document: then }: Said, now: FlowDocument): readonly FlowProblem[] {
  if (then.definition.steps === now.definition.steps) return problems
  return problems.flatMap((problem) => {
    const at = stepAtPath(then, problem.path)
    if (at === undefined) return [problem]
    const place = placeOfStep(now, at.step.id)
    if (place === undefined) return []
    return [{ ...problem, path: at.rest === '' ? place.path : `${place.path}.${at.rest}` }]
  })
}
