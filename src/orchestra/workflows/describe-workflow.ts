import { allSteps, describeGraph, type Flow } from '#engine'
import { units } from '#executions-api'

/** A workflow in a list. */
export function describeWorkflow(flow: Flow) {
  const { definition, version } = flow
  return {
    id: flow.flowId,
    label: definition.label,
    description: definition.description ?? '',
    version: definition.version ?? String(version),
    agents: agentsIn(flow),
    mode: modeOf(flow),
    revision: version,
    built_in: flow.builtIn,
    category: definition.category ?? null,
    tags: [...(definition.tags ?? [])],
    approval_required: flow.metadata.approval_required ?? false,
    created_at: units.epochSeconds(flow.flowCreatedAt),
    updated_at: units.epochSeconds(flow.flowUpdatedAt),
  }
}

/** A workflow with its steps. */
export function describeWholeWorkflow(flow: Flow, requiredInputs: readonly string[]) {
  return {
    ...describeWorkflow(flow),
    steps: flow.definition.steps.map((step) => ({
      id: step.id,
      type: step.type,
      label: step.label ?? null,
      dependencies: [...(step.dependencies ?? [])],
      agent: step.type === 'agent' ? step.agent : null,
      agent_version: step.type === 'agent' ? (step.agent_version ?? null) : null,
      input: step.type === 'agent' ? (step.input ?? '{{content}}') : null,
      instructions: step.type === 'agent' ? (step.instructions ?? null) : null,
      parameters: step.type === 'agent' ? { ...step.parameters } : {},
    })),
    required_inputs: [...requiredInputs],
  }
}

/** The distinct agents, in the order of the steps. */
function agentsIn({ definition }: Pick<Flow, 'definition'>): string[] {
  return [...new Set(allSteps(definition.steps).flatMap((step) => (step.type === 'agent' ? step.agent : [])))]
}

/** Sequential when no two steps can run in parallel. */
function modeOf({ definition }: Pick<Flow, 'definition'>): 'sequential' | 'parallel' {
  return describeGraph(definition).groups.every(({ length }) => length === 1) ? 'sequential' : 'parallel'
}
