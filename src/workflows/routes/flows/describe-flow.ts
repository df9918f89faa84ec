import { allSteps, describeGraph, type Engine, type Flow } from '#engine'
import { units } from '#executions-api'

type LatestRun = Awaited<ReturnType<Engine['executions']['latestOf']>>[number]

/** A flow in a list. */
export function describeFlow(flow: Flow) {
  const { definition, metadata } = flow
  const agents = agentsOf(flow)
  return {
    id: flow.flowId,
    label: definition.label,
    description: definition.description ?? null,
    version: versionName(flow),
    revision: flow.version,
    category: definition.category ?? null,
    tags: definition.tags ?? [],
    steps: definition.steps.length,
    built_in: flow.builtIn,
    enabled: flow.disabledAt === null,
    kind: agents.length > 0 ? ('agents' as const) : ('steps' as const),
    agents,
    sample: metadata.sample ?? false,
    owner_id: flow.ownerId,
    created_by: metadata.created_by ?? null,
    department: metadata.department ?? null,
    use_cases: metadata.use_cases ?? [],
    complexity_level: metadata.complexity_level ?? null,
    approval_required: metadata.approval_required ?? false,
    created_at: units.epochSeconds(flow.flowCreatedAt),
    updated_at: units.epochSeconds(flow.flowUpdatedAt),
  }
}

/** The agents that the steps of a flow name, each once, in the order of the steps. */
function agentsOf({ definition }: Pick<Flow, 'definition'>): string[] {
  const named = allSteps(definition.steps).flatMap((step) => (step.type === 'agent' ? [step.agent] : []))
  return [...new Set(named)]
}

/** An execution in the list of flows. */
export function describeRun({ id, status, durationMs, createdAt, spent }: LatestRun) {
  return {
    execution_id: id,
    status,
    duration: units.seconds(durationMs),
    cost: units.dollars(spent),
    created_at: units.epochSeconds(createdAt),
  }
}

/** A flow with everything that was saved. `flow_definition` and `metadata` can be sent back as they are. */
export function describeWholeFlow(flow: Flow, requiredInputs: readonly string[]) {
  const { edges, onDemand } = describeGraph(flow.definition)
  return {
    ...describeFlow(flow),
    flow_id: flow.flowId,
    current_revision: flow.currentVersion,
    flow_definition: flow.definition,
    metadata: flow.metadata,
    required_inputs: [...requiredInputs],
    edges: [...edges],
    on_demand: [...onDemand],
    saved_at: units.epochSeconds(flow.createdAt),
    saved_by: flow.createdBy,
    note: flow.note,
  }
}

/** A version in the list of them. */
export function describeVersion(flow: Flow) {
  return {
    revision: flow.version,
    version: versionName(flow),
    current: flow.version === flow.currentVersion,
    label: flow.definition.label,
    steps: flow.definition.steps.length,
    note: flow.note,
    saved_at: units.epochSeconds(flow.createdAt),
    saved_by: flow.createdBy,
  }
}

/** The version name of the author, else the revision number. */
export function versionName({ definition, version }: Pick<Flow, 'definition' | 'version'>): string {
  return definition.version ?? String(version)
}
