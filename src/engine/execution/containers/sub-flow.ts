import type { SubFlowStep } from '../../definition/step-types.ts'
import { microDollars } from '../../definition/values.ts'
import { fillValue, reportMissing } from '../../expressions/templates.ts'
import type { FlowRef, LoadedFlow } from '../sub-flows.ts'
import { type ContainerDriver, failureOfScope } from './container.ts'

interface SubFlowRecord {
  readonly flow: FlowRef
  readonly context: Readonly<Record<string, unknown>>
}

/**
 * Runs the steps of another flow in one scope, which sees nothing of the scopes around it: its context is the input of the step. The flow
 * version is part of the stored input, so a resumed or forked execution runs the same steps. The output is the result of the flow: the
 * output of its last step, or the outputs of all its last steps by id.
 */
export const subFlowDriver: ContainerDriver<SubFlowStep> = {
  async open(run, flows): Promise<SubFlowRecord> {
    const { step, scope } = run
    const { value, missing } = fillValue(step.input ?? {}, scope)
    reportMissing(run, missing)
    const { ref } = await flows.open({ id: step.flow, version: step.flow_version }, run)
    return { flow: ref, context: value as SubFlowRecord['context'] }
  },

  variables: () => ({}),
  contextOf: (record) => (record as SubFlowRecord).context,
  graphOf: (_step, _index, { flow } = {}) => flow?.graph,

  start(step, record, flows) {
    const { flow: ref, context } = record as SubFlowRecord
    const flow = flows.get(ref)
    const budget = budgetOf(step, flow)
    return {
      total: 1,
      flow: ref,
      result: { isKept: true, template: undefined },
      next({ open, ended, failed }) {
        if (failed !== undefined)
          return { kind: 'failed', failure: failureOfScope(failed, `The flow "${ref.id}"`) }
        const end = ended.get(0)
        if (end !== undefined) return { kind: 'completed', output: end.result }
        if (open.size > 0) return { kind: 'wait' }
        return {
          kind: 'open',
          scope: { index: 0, memory: {}, budget, graph: flow.graph, flow: { ...flow, context } },
        }
      },
    }
  },
}

/** The tighter of the limits of the step and of the flow; undefined: only the budget of the execution applies. */
function budgetOf({ max_cost: ofStep }: SubFlowStep, { definition }: LoadedFlow): number | undefined {
  const costs = definition.global_configuration?.cost_controls
  const ofFlow = costs?.auto_abort_on_budget_exceeded === false ? undefined : costs?.max_total_cost
  const limits = [ofStep, ofFlow].flatMap((limit) => (limit === undefined ? [] : microDollars(limit)))
  return limits.length === 0 ? undefined : Math.min(...limits)
}
