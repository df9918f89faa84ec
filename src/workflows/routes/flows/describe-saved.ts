import type { CheckedWhole, Flow, FlowEstimate, FlowShape } from '#engine'
import { dollars, epochSeconds, seconds } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { versionName } from './describe-flow.ts'

/** What checking a flow found out. */
export function describeValidation({ definition, problems, warnings, requiredInputs }: CheckedWhole) {
  return {
    valid: definition !== undefined,
    errors: [...problems],
    warnings: [...warnings],
    required_inputs: [...requiredInputs],
  }
}

/** How a flow is built, and what it is likely to take. */
export function describeSummary(
  { id, label }: Pick<Flow['definition'], 'id' | 'label'>,
  shape: FlowShape,
  { cost, duration }: Pick<FlowEstimate, 'cost' | 'duration'>,
) {
  return {
    flow_id: id,
    label,
    total_steps: shape.totalSteps,
    steps_by_type: { ...shape.stepsByType },
    dependencies: shape.dependencies,
    parallel_groups: shape.groups.map((group) => [...group]),
    critical_path: [...shape.criticalPath],
    steps_on_demand: [...shape.onDemand],
    models: [...shape.models],
    external_hosts: [...shape.hosts],
    memory_keys: [...shape.memoryKeys],
    estimated_cost: cost.value === null ? null : dollars(cost.value),
    estimated_duration: duration.value === null ? null : seconds(duration.value),
    estimated_from: {
      cost: { source: cost.source, sample: cost.sample, confidence: cost.confidence },
      duration: { source: duration.source, sample: duration.sample, confidence: duration.confidence },
    },
  }
}

/** Where a flow can be run from now on. */
export function describeDeployment(flow: Flow) {
  return {
    version: versionName(flow),
    revision: flow.version,
    endpoint: `${workflowsPrefix}/execute-flow`,
    flow_url: flowUrl(flow.flowId),
    approval_status:
      flow.metadata.approval_required === true ? ('approval_required' as const) : ('auto_approved' as const),
    created_at: epochSeconds(flow.createdAt),
  }
}

/** What is left to do, in the order it is best done. */
export function nextSteps(flow: Flow, { warnings, requiredInputs }: CheckedWhole): string[] {
  const asynchronous = `${workflowsPrefix}/execute-flow-async`
  return [
    ...(warnings.length === 0
      ? []
      : [`Look at the ${warnings.length === 1 ? 'warning' : `${warnings.length} warnings`} above.`]),
    ...(requiredInputs.length === 0
      ? []
      : [`Give every execution these fields in its context: ${requiredInputs.join(', ')}.`]),
    `Run it: POST ${workflowsPrefix}/execute-flow with flow_id "${flow.flowId}"; in the background: POST ${asynchronous}.`,
    ...(flow.metadata.approval_required === true
      ? ['Every execution waits until somebody with the permission "manage workflows" approves it.']
      : []),
    `Change it: PUT ${flowUrl(flow.flowId)} makes revision ${flow.version + 1} and leaves this one as it is.`,
  ]
}

export function flowUrl(id: string): string {
  return `${workflowsPrefix}/flows/${id}`
}
