import { createHash } from 'node:crypto'
import { kernelFailure } from '#kernel/errors'
import type { FlowDefinition } from '../definition/flow.ts'
import { type FlowControl, maxWaitMs } from '../definition/flow-control.ts'
import { durationMs } from '../definition/values.ts'
import { type ExecutionInput, type Priority, priorities } from '../execution/input.ts'
import { evaluateInline } from '../expressions/evaluate.ts'
import { asText } from '../expressions/paths.ts'
import { isDraft } from '../flows/drafts.ts'

/** How an execution takes part in the limits of its flow. */
export interface Gate {
  /** Null: the flow has no such limit. */
  readonly concurrencyKey: string | null
  readonly throttleKey: string | null
  readonly debounce: {
    readonly key: string
    readonly periodMs: number
    readonly maxWaitMs: number
  } | null
}

interface GatedStart {
  readonly flowId: string
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
}

/**
 * The gate and the priority of an execution that is to start; without a gate its flow has no limits. A flow that is only tried, and a
 * saved test, has none either. Throws `invalid_input` when an expression of the limits has no value for the input.
 */
export function gateOf(
  { global_configuration: global }: FlowDefinition,
  start: GatedStart,
): { readonly gate: Gate | undefined; readonly priority: Priority } {
  const { flowId, accountId, input, priority } = start
  const control = global?.flow_control
  if (control === undefined || isDraft(flowId) || input.replay !== undefined)
    return { gate: undefined, priority }
  return {
    gate: keysOf(control, flowId, accountId, input),
    priority: control.priority === undefined ? priority : priorityOf(control.priority, input),
  }
}

function keysOf(
  { concurrency, throttle, debounce }: FlowControl,
  flowId: string,
  accountId: string,
  input: ExecutionInput,
): Gate | undefined {
  if (concurrency === undefined && throttle === undefined && debounce === undefined) return undefined
  const keyOf = (limit: 'concurrency' | 'throttle' | 'debounce', source: string | undefined) =>
    source === undefined ? flowId : `${flowId} ${hash(asText(valueOf(source, `${limit}.key`, input)))}`
  return {
    concurrencyKey: concurrency === undefined ? null : keyOf('concurrency', concurrency.key),
    throttleKey: throttle === undefined ? null : keyOf('throttle', throttle.key),
    // Of one account: the input of another one must not take the place of its own.
    debounce:
      debounce === undefined
        ? null
        : {
            key: `${accountId} ${keyOf('debounce', debounce.key)}`,
            periodMs: durationMs(debounce.period),
            maxWaitMs: maxWaitMs(debounce),
          },
  }
}

/** Values of any length have keys of the same length. */
function hash(value: string): string {
  return createHash('sha256').update(value).digest('base64url')
}

function priorityOf(source: string, input: ExecutionInput): Priority {
  const value = valueOf(source, 'priority', input)
  const found = priorities.find((priority) => priority === value)
  if (found === undefined)
    throw unusable(
      'priority',
      `is ${asText(value).slice(0, 50)}, and must be one of ${priorities.join(', ')}`,
    )
  return found
}

function valueOf(source: string, name: string, { context, memory }: ExecutionInput): unknown {
  const evaluated = evaluateInline(source, { context, memory, steps: {} })
  if (evaluated === undefined) throw unusable(name, 'reads too much data')
  if (evaluated.kind !== 'value')
    throw unusable(name, `cannot be computed from this input: ${evaluated.problem.message}`)
  if (evaluated.value === null || evaluated.value === undefined)
    throw unusable(name, 'has no value for this input')
  return evaluated.value
}

function unusable(name: string, message: string) {
  const path = `flow_control.${name}`
  return kernelFailure('invalid_input', {
    message: `The expression ${path} of the flow ${message}. Change the context of the request, or the expression.`,
    problems: [{ path, message, code: 'expression' }],
  })
}
