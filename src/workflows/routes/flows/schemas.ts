import { Type } from 'typebox'
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

/** The flow an address is about. Whatever names none is answered as a flow that is not there. */
export const flowParams = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the flow.' }),
})

/** Larger than any version will ever be, and as large as the column. */
const maxVersion = 2_147_483_647

export const revision = (description: string) =>
  Type.Integer({ minimum: 1, maximum: maxVersion, description })

const Finding = Type.Object({
  path: text('Where, such as `steps[2].conditions[0].action.target_step`.'),
  message: text('What is wrong there.'),
  code: text('The same for programs.'),
})

const flowFields = {
  id: text('Names the flow.'),
  label: text('What people call it.'),
  description: maybeText('What it is for.'),
  version: text('What its author calls this version, else the number of the revision.'),
  revision: integer('The number of this version: 1, and one more with each save.'),
  category: maybeText('What kind of flow it is.'),
  tags: texts('Words it is found by.'),
  steps: integer('How many steps it has.'),
  built_in: flag('Whether it comes with the platform, and can be copied but not changed.'),
  owner_id: maybeText('The account that made it; null for those that come with the platform.'),
  created_by: maybeText('Who made it, as its metadata say.'),
  department: maybeText('Whom it belongs to, as its metadata say.'),
  use_cases: texts('What it is good for.'),
  complexity_level: maybeText('As its metadata say.'),
  approval_required: flag('Whether every execution requires approval.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

const LatestRun = Type.Object({
  execution_id: Type.String(),
  status: Type.Enum([...executionStates]),
  duration: maybeNumber('Seconds; null until it is over.'),
  cost: number('Dollars so far.'),
  created_at: integer('Epoch seconds.'),
})

const lastRuns = Type.Optional(
  Type.Array(LatestRun, {
    description:
      'With `runs=true`: its newest executions, at most ten, the newest first. Yours; with `manage workflows` everybody’s.',
  }),
)

const FlowEntry = Type.Object(
  { ...flowFields, last_runs: lastRuns },
  { description: 'A flow, without its steps.' },
)

export const FlowList = Type.Object(
  {
    flows: Type.Array(FlowEntry),
    total: integer('How many flows there are, on all pages.'),
  },
  { description: 'A page of flows, the oldest first.' },
)

export const WholeFlow = Type.Object(
  {
    ...flowFields,
    flow_id: text('The same as `id`.'),
    current_revision: integer('The revision that runs by default.'),
    flow_definition: freeForm('The flow as it was saved; `PUT` takes it back.'),
    metadata: freeForm('What people know about it, as it was saved with this revision.'),
    required_inputs: texts('Paths that the context of an execution must have.'),
    edges: Type.Array(
      Type.Object({
        from: text('The id of a step.'),
        to: text('The id of the step it leads to.'),
        kind: Type.Enum(['needs', 'chooses', 'before']),
        label: maybeText('When this way is chosen.'),
      }),
      { description: 'How steps lead to each other, as executions go by it.' },
    ),
    on_demand: texts('Steps that run only when an agent adds them.'),
    saved_at: integer('When this revision was saved, in epoch seconds.'),
    saved_by: maybeText('The account that saved it; null for the platform itself.'),
    note: maybeText('What changed, in the words of the author.'),
  },
  { description: 'One revision of a flow.' },
)

const VersionEntry = Type.Object({
  revision: flowFields.revision,
  version: flowFields.version,
  current: flag('Whether it runs by default.'),
  label: flowFields.label,
  steps: flowFields.steps,
  note: maybeText('What changed, in the words of the author.'),
  saved_at: integer('Epoch seconds.'),
  saved_by: maybeText('The account that saved it; null for the platform itself.'),
})

export const VersionList = Type.Object(
  {
    flow_id: flowFields.id,
    versions: Type.Array(VersionEntry),
    total: integer('How many versions there are, on all pages.'),
  },
  { description: 'A page of versions, the newest first.' },
)

const Change = Type.Object({
  path: text('Such as `conditions[0].value`.'),
  change: Type.Enum(['added', 'removed', 'changed']),
  old_value: Type.Unknown({ description: 'Null when it was not there.' }),
  new_value: Type.Unknown({ description: 'Null when it is gone.' }),
})

const stepMention = { id: text('Its id.'), type: text('Its type.'), label: maybeText('Its label.') }

export const Diff = Type.Object(
  {
    flow_id: flowFields.id,
    from: integer('The revision it is compared with.'),
    to: integer('The revision that is compared.'),
    equal: flag('Whether nothing is different.'),
    flow: Type.Array(Change, { description: 'Fields of the flow itself.' }),
    metadata: Type.Array(Change),
    steps: Type.Object({
      added: Type.Array(Type.Object(stepMention)),
      removed: Type.Array(Type.Object(stepMention)),
      changed: Type.Array(Type.Object({ ...stepMention, changes: Type.Array(Change) })),
      moved: Type.Array(
        Type.Object({
          id: text('Its id.'),
          from: integer('Its place before, from 0, among the steps that stayed.'),
          to: integer('Its place now.'),
        }),
      ),
    }),
    summary: texts('The same for people, a line for each.'),
  },
  { description: 'What is different between two revisions.' },
)

const ValidationResults = Type.Object({
  valid: flag('Whether it could be saved.'),
  errors: Type.Array(Finding, { description: 'Everything that is wrong.' }),
  warnings: Type.Array(Finding, { description: 'What will work, but perhaps not as meant.' }),
  required_inputs: texts('Paths that the context of an execution must have.'),
})

const EstimatedFrom = Type.Object({
  source: maybeText(
    '`flow_history`, `step_type_history`, `catalogue` (prices of models) or `metadata` (what its author expects); null when unknown.',
  ),
  sample: integer('How many executions or steps it was learned from.'),
  confidence: maybeNumber('0 to 1; null when it was not learned.'),
})

const FlowSummary = Type.Object(
  {
    flow_id: flowFields.id,
    label: flowFields.label,
    total_steps: integer('How many steps it has.'),
    steps_by_type: Type.Object({
      ai_prompt: integer('Steps that ask a model.'),
      conditional: integer('Steps that decide.'),
      external_api: integer('Steps that call another API.'),
      data_transform: integer('Steps that compute.'),
      agent: integer('Steps that an agent does.'),
    }),
    dependencies: Type.Unsafe<Readonly<Record<string, readonly string[]>>>({
      type: 'object',
      additionalProperties: { type: 'array', items: { type: 'string' } },
      description:
        'What each step waits for, by its id: its dependencies, and the steps that decide about it.',
    }),
    parallel_groups: Type.Array(Type.Array(Type.String()), {
      description: 'Steps by how many others come before them; those of one group can run side by side.',
    }),
    critical_path: texts('The way through the flow that takes longest, step by step.'),
    steps_on_demand: texts('Steps that only run when an agent adds them.'),
    models: texts('Models that are named; steps that name none are answered by the default chain.'),
    external_hosts: texts('Hosts that are called.'),
    memory_keys: texts('What the steps write into the shared memory.'),
    estimated_cost: maybeNumber('Dollars for one execution; null when unknown.'),
    estimated_duration: maybeNumber('Seconds for one execution; null when unknown.'),
    estimated_from: Type.Object({ cost: EstimatedFrom, duration: EstimatedFrom }),
  },
  { description: 'How the flow is built, and what it is likely to take.' },
)

export const SavedFlow = Type.Object(
  {
    success: flag('Always true.'),
    flow_id: flowFields.id,
    status: Type.Enum(['created', 'updated', 'unchanged', 'rolled_back'], {
      description: '`unchanged`: it is the same as the current revision, and no new one was made.',
    }),
    validation_results: ValidationResults,
    flow_summary: FlowSummary,
    deployment_info: Type.Object({
      version: flowFields.version,
      revision: flowFields.revision,
      endpoint: text('Where it is run.'),
      flow_url: text('Where it is read.'),
      approval_status: Type.Enum(['auto_approved', 'approval_required'], {
        description: '`approval_required`: every execution requires approval.',
      }),
      created_at: integer('When this revision was saved, in epoch seconds.'),
    }),
    next_steps: texts('What is left to do.'),
  },
  { description: 'What was saved.' },
)

export const ValidatedFlow = Type.Object(
  {
    success: flag('Whether it could be saved.'),
    flow_id: maybeText('Its id; null when it has none that could be one.'),
    id_taken: flag('Whether there is a flow of this id: `PUT` would make a new revision of it.'),
    validation_results: ValidationResults,
    flow_summary: Type.Union([FlowSummary, Type.Null()], { description: 'Null while there are errors.' }),
  },
  { description: 'What saving it would say. Nothing was saved.' },
)

export const DeletedFlow = Type.Object(
  {
    success: flag('Always true.'),
    flow_id: flowFields.id,
    status: Type.Enum(['deleted']),
    executions_under_way: integer('Executions of it that go on to their end.'),
  },
  { description: 'The flow is gone. Its executions and their results stay.' },
)
