import type { AgentFlowCallStep } from '../../definition/step-types.ts'
import { asText } from '../../expressions/paths.ts'
import { StepFailure } from '../../steps/step-failure.ts'
import { outputOf, readCall } from '../../steps/tool-agent/call.ts'
import type { CallOutput } from '../../steps/tool-agent/conversation.ts'
import { cutResult, failed, type ToolResult } from '../../tools/tool.ts'
import type { FlowRef } from '../sub-flows.ts'
import type { ContainerDriver } from './container.ts'

interface FlowCallRecord {
  readonly tool: string
  /** The arguments of the call. */
  readonly context: Readonly<Record<string, unknown>>
  /** The flow that runs; null: it is not called. */
  readonly flow: FlowRef | null
  /** Why it is not called, for the model. */
  readonly refusal: string | null
  /** The maximum length of the result. */
  readonly maxLength: number
}

/**
 * Runs a flow that the model of an agent has called, in one scope, as `sub_flow` does. Its result, and also its failure, is the result of
 * the call. The flow version is part of the stored input.
 */
export const agentFlowCallDriver: ContainerDriver<AgentFlowCallStep> = {
  async open(run, flows): Promise<FlowCallRecord> {
    const { agent, call, tool, rejection } = readCall(run)
    const record = {
      tool: tool.name,
      context: JSON.parse(call.arguments) as FlowCallRecord['context'],
      maxLength: agent.maxResultLength,
    }
    if (rejection !== undefined) return { ...record, flow: null, refusal: rejection.text }
    if (tool.source.type !== 'flow') throw new Error(`the tool "${tool.name}" is no flow`)
    const { flow: id, version } = tool.source
    try {
      const { ref } = await flows.open({ id, version: version ?? undefined }, run)
      return { ...record, flow: ref, refusal: null }
    } catch (error) {
      if (error instanceof StepFailure) return { ...record, flow: null, refusal: error.message }
      throw error
    }
  },

  variables: () => ({}),
  contextOf: (record) => (record as FlowCallRecord).context,
  graphOf: (_step, _index, { flow } = {}) => flow?.graph,

  start(_step, record, flows) {
    const { tool, context, flow: ref, refusal, maxLength } = record as FlowCallRecord
    const flow = ref === null ? undefined : flows.get(ref)

    function resultOf(result: ToolResult): { readonly output: CallOutput; readonly details: object } {
      const cut = cutResult(result, maxLength)
      return {
        output: outputOf({ name: tool }, cut, 0),
        details: { tool, tool_type: 'flow', arguments: context, is_error: cut.isError },
      }
    }

    return {
      total: flow === undefined ? 0 : 1,
      ...(ref !== null && { flow: ref }),
      result: { isKept: true },
      next({ open, ended, failed: failure }) {
        if (flow === undefined) return completed(failed(refusal ?? 'The flow was not called.'))
        if (failure !== undefined) return completed(failed(`The flow failed: ${failure.error.message}`))
        const end = ended.get(0)
        if (end !== undefined) return completed({ text: asText(end.result), isError: false })
        if (open.size > 0) return { kind: 'wait' }
        return {
          kind: 'open',
          scope: { index: 0, memory: {}, graph: flow.graph, flow: { ...flow, context } },
        }
      },
    }

    function completed(result: ToolResult) {
      const { output, details } = resultOf(result)
      return { kind: 'completed' as const, output, details: { ...details } }
    }
  },
}
