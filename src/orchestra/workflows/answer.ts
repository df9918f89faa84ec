import { Type } from 'typebox'
import { flag, freeForm, integer, maybeInteger, maybeText, text, texts } from '../schemas/values.ts'
import { modes } from './request.ts'

const listed = {
  id: Type.String(),
  label: text('What people call it.'),
  description: text('What it is for; empty where nobody says.'),
  version: text('What its author calls this version, else its number.'),
  agents: texts('Who works in it, each once, in the order of the steps.'),
  mode: Type.Enum([...modes], { description: '`sequential` when no two steps can run side by side.' }),
  revision: integer('The number of the version, from 1.'),
  built_in: flag('It comes with the platform, and stays as it is.'),
  category: maybeText('What kind of workflow it is.'),
  tags: Type.Array(Type.String()),
  approval_required: flag('Whether every execution waits until somebody agrees.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

export const WorkflowList = Type.Object({
  workflows: Type.Array(Type.Object(listed)),
  total: integer('On all pages.'),
})

const Step = Type.Object({
  id: Type.String(),
  type: text('`agent`, or another type of step for workflows that were made as flows.'),
  label: maybeText('What people call it.'),
  dependencies: texts('Steps it waits for.'),
  agent: maybeText('Who does it; null for steps that are no agents.'),
  agent_version: maybeInteger('Null: whichever is current when it begins.'),
  input: maybeText('What it works on.'),
  instructions: maybeText('What is asked of it besides.'),
  parameters: freeForm('By their names.'),
})

export const WholeWorkflow = Type.Object({
  ...listed,
  steps: Type.Array(Step),
  required_inputs: texts('Paths that the context of an execution must bring.'),
})

export const SavedWorkflow = Type.Object({
  success: Type.Boolean(),
  status: Type.Enum(['created', 'updated', 'unchanged']),
  workflow: WholeWorkflow,
})

export const DeletedWorkflow = Type.Object({
  success: Type.Boolean(),
  workflow_id: Type.String(),
  status: Type.Enum(['deleted']),
  executions_under_way: integer('They go on to their end.'),
})
