import { Type } from 'typebox'
import { kindOf, stepTypes } from '#engine'
import {
  executionStates,
  flag,
  freeForm,
  integer,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
} from '../../schemas/values.ts'

/** The flow id in the path. An invalid id gets the same response as an unknown flow. */
export const flowParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the flow.' }),
})

/** The maximum of the database column. */
const maxVersion = 2_147_483_647

export const revision = (description: string) =>
  Type.Integer({ minimum: 1, maximum: maxVersion, description })

const Finding = Type.Object({
  path: text('The path, such as `steps[2].conditions[0].action.target_step`.'),
  message: text('The problem.'),
  code: text('The code of the problem.'),
})

const flowFields = {
  id: text('The id of the flow.'),
  label: text('The display name.'),
  description: maybeText('The purpose.'),
  version: text('The version name of the author, else the number of the revision.'),
  revision: integer('The number of this revision, from 1.'),
  category: maybeText('The category.'),
  tags: texts('The tags.'),
  steps: integer('Number of steps.'),
  built_in: flag('Whether the flow is built-in: it can be copied but not changed.'),
  enabled: flag('Whether it can be run. `PATCH /flows/{id}` changes it.'),
  kind: Type.Enum(['agents', 'steps'], { description: '`agents`: it has agent steps.' }),
  agents: texts('The agents that its steps name, each once.'),
  sample: flag('Whether the flow is an example to read and copy.'),
  owner_id: maybeText('The account that created it; null for built-in flows.'),
  created_by: maybeText('The author in the metadata.'),
  department: maybeText('The department in the metadata.'),
  use_cases: texts('The use cases.'),
  complexity_level: maybeText('The complexity level in the metadata.'),
  approval_required: flag('Whether every execution requires approval.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

const LatestRun = Type.Object({
  execution_id: Type.String(),
  status: Type.Enum([...executionStates]),
  duration: maybeNumber('Seconds; null until the end.'),
  cost: number('Dollars so far.'),
  created_at: integer('Epoch seconds.'),
})

export const FlowStats = Type.Object(
  {
    of: Type.Enum(['all', 'own'], {
      description:
        '`all`: executions of all accounts in the last 30 days, for callers who may see them; `own`: your newest 50 executions.',
    }),
    executions: integer('Number of executions.'),
    success_rate: maybeNumber('Percent of the finished executions; null without any.'),
    median_duration: maybeNumber('Seconds of a completed execution; null without any.'),
    p95_duration: maybeNumber(
      '95 percent of the completed executions took at most these seconds; null without any.',
    ),
    average_cost: maybeNumber(
      'Dollars of a completed execution; null without any, or when a price is unknown.',
    ),
  },
  { description: 'Statistics of the executions of a flow.' },
)

const lastRuns = Type.Optional(
  Type.Array(LatestRun, {
    description:
      'With `runs=true`: up to ten executions, the newest first. Your own; with `manage workflows` those of all accounts.',
  }),
)

const FlowEntry = Type.Object(
  { ...flowFields, last_runs: lastRuns, stats: Type.Optional(FlowStats) },
  { description: 'A flow, without its steps.' },
)

export const FlowList = Type.Object(
  {
    flows: Type.Array(FlowEntry),
    total: integer('Number of flows on all pages.'),
  },
  { description: 'A page of flows, the oldest first.' },
)

export const WholeFlow = Type.Object(
  {
    ...flowFields,
    flow_id: text('The same as `id`.'),
    current_revision: integer('The current revision, which runs by default.'),
    flow_definition: freeForm('The definition as it was saved; `PUT` accepts it.'),
    metadata: freeForm('The metadata saved with this revision.'),
    required_inputs: texts('Context paths that an execution requires.'),
    edges: Type.Array(
      Type.Object({
        from: text('The id of a step.'),
        to: text('The id of the next step.'),
        kind: Type.Enum(['needs', 'chooses', 'before']),
        label: maybeText('The condition of the edge; null without one.'),
      }),
      { description: 'The edges between the steps.' },
    ),
    on_demand: texts('Steps that run only when an agent adds them.'),
    saved_at: integer('When this revision was saved, in epoch seconds.'),
    saved_by: maybeText('The account that saved it; null for the platform.'),
    note: maybeText('The note of the author about the change.'),
  },
  { description: 'One revision of a flow.' },
)

const VersionEntry = Type.Object({
  revision: flowFields.revision,
  version: flowFields.version,
  current: flag('Whether it runs by default.'),
  label: flowFields.label,
  steps: flowFields.steps,
  note: maybeText('The note of the author about the change.'),
  saved_at: integer('Epoch seconds.'),
  saved_by: maybeText('The account that saved it; null for the platform.'),
})

export const VersionList = Type.Object(
  {
    flow_id: flowFields.id,
    versions: Type.Array(VersionEntry),
    total: integer('Number of versions on all pages.'),
  },
  { description: 'A page of versions, the newest first.' },
)

const Change = Type.Object({
  path: text('The path of the field, such as `conditions[0].value`.'),
  change: Type.Enum(['added', 'removed', 'changed']),
  old_value: Type.Unknown({ description: 'The value before; null when the field was absent.' }),
  new_value: Type.Unknown({ description: 'The value now; null when the field was removed.' }),
})

const stepMention = {
  id: text('The id of the step.'),
  type: text('The type of the step.'),
  label: maybeText('The label of the step.'),
}

export const Diff = Type.Object(
  {
    flow_id: flowFields.id,
    from: integer('The older revision.'),
    to: integer('The newer revision.'),
    equal: flag('Whether both revisions are equal.'),
    flow: Type.Array(Change, { description: 'Fields of the flow itself.' }),
    metadata: Type.Array(Change),
    steps: Type.Object({
      added: Type.Array(Type.Object(stepMention)),
      removed: Type.Array(Type.Object(stepMention)),
      changed: Type.Array(Type.Object({ ...stepMention, changes: Type.Array(Change) })),
      moved: Type.Array(
        Type.Object({
          id: text('The id of the step.'),
          from: integer('The previous index, from 0, among the steps in both revisions.'),
          to: integer('The current index.'),
        }),
      ),
    }),
    summary: texts('The changes as text, one line each.'),
  },
  { description: 'The differences between two revisions.' },
)

const ValidationResults = Type.Object({
  valid: flag('Whether the flow is valid.'),
  errors: Type.Array(Finding, { description: 'All problems.' }),
  warnings: Type.Array(Finding, { description: 'Warnings, which do not prevent saving.' }),
  required_inputs: texts('Context paths that an execution requires.'),
})

const EstimatedFrom = Type.Object({
  source: maybeText(
    '`flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (estimate of the author); null when unknown.',
  ),
  sample: integer('Number of executions or steps in the sample.'),
  confidence: maybeNumber('0 to 1; null without a sample.'),
})

const FlowSummary = Type.Object(
  {
    flow_id: flowFields.id,
    label: flowFields.label,
    total_steps: integer('Number of steps.'),
    steps_by_type: Type.Object(
      Object.fromEntries(stepTypes.map((type) => [type, integer(`${kindOf({ type }).plural}.`)])) as Record<
        (typeof stepTypes)[number],
        ReturnType<typeof integer>
      >,
    ),
    dependencies: Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description:
        'The steps that each step waits for, by step id: its dependencies and the conditions that choose it.',
    }),
    parallel_groups: Type.Array(Type.Array(Type.String()), {
      description: 'Groups of steps by depth; the steps of a group can run in parallel.',
    }),
    critical_path: texts('The critical path: the steps of the longest way through the flow.'),
    steps_on_demand: texts('Steps that run only when an agent adds them.'),
    models: texts('Models that steps name; other steps use the default chain.'),
    external_hosts: texts('Hosts of external API steps.'),
    memory_keys: texts('Keys that steps write to the shared memory.'),
    estimated_cost: maybeNumber('Dollars for one execution; null when unknown.'),
    estimated_duration: maybeNumber('Seconds for one execution; null when unknown.'),
    estimated_from: Type.Object({ cost: EstimatedFrom, duration: EstimatedFrom }),
  },
  { description: 'The structure of the flow and its estimated cost and duration.' },
)

export const SavedFlow = Type.Object(
  {
    success: flag('Always true.'),
    flow_id: flowFields.id,
    status: Type.Enum(['created', 'updated', 'unchanged', 'rolled_back'], {
      description: '`unchanged`: equal to the current revision, so no new revision was saved.',
    }),
    validation_results: ValidationResults,
    flow_summary: FlowSummary,
    deployment_info: Type.Object({
      version: flowFields.version,
      revision: flowFields.revision,
      endpoint: text('The URL that runs the flow.'),
      flow_url: text('The URL of the flow.'),
      approval_status: Type.Enum(['auto_approved', 'approval_required'], {
        description: '`approval_required`: every execution requires approval.',
      }),
      created_at: integer('When this revision was saved, in epoch seconds.'),
    }),
    next_steps: texts('Remaining tasks.'),
  },
  { description: 'The saved flow.' },
)

export const ValidatedFlow = Type.Object(
  {
    success: flag('Whether the flow is valid.'),
    flow_id: maybeText('The id of the flow; null when it is missing or invalid.'),
    id_taken: flag('Whether a flow with this id exists: `PUT` would save a new revision.'),
    validation_results: ValidationResults,
    flow_summary: Type.Union([FlowSummary, Type.Null()], { description: 'Null for an invalid flow.' }),
  },
  { description: 'The result of the validation. Nothing was saved.' },
)

export const FlowStateBody = Type.Object(
  { enabled: Type.Boolean({ description: 'False refuses every new execution.' }) },
  { additionalProperties: false },
)

export const FlowState = Type.Object(
  {
    success: flag('Always true.'),
    flow_id: flowFields.id,
    enabled: flag('Whether it can be run now.'),
    status: Type.Enum(['enabled', 'disabled', 'unchanged']),
  },
  { description: 'The state of the flow.' },
)

export const DeletedFlow = Type.Object(
  {
    success: flag('Always true.'),
    flow_id: flowFields.id,
    status: Type.Enum(['deleted']),
    executions_under_way: integer('Running executions, which continue.'),
  },
  { description: 'The flow is deleted. Its executions and their results stay.' },
)
