import { Type } from 'typebox'
import { flag, freeForm, integer, maybeInteger, maybeText, text, texts } from '../schemas/values.ts'
import { modes } from './request.ts'

const listed = {
  id: Type.String(),
  label: text('The display name.'),
  description: text('The description; may be empty.'),
  version: text('The version label of the author, else the revision number.'),
  agents: texts('The agents, in the order of the steps.'),
  mode: Type.Enum([...modes], { description: '`sequential` when no two steps can run in parallel.' }),
  revision: integer('The revision number, from 1.'),
  built_in: flag('Whether it comes with the platform. Built-in workflows cannot be changed.'),
  category: maybeText('The category.'),
  tags: Type.Array(Type.String()),
  approval_required: flag('Whether every execution requires approval.'),
  created_at: integer('Epoch seconds.'),
  updated_at: integer('Epoch seconds.'),
}

export const WorkflowList = Type.Object({
  workflows: Type.Array(Type.Object(listed)),
  total: integer('Number of workflows on all pages.'),
})

const Step = Type.Object({
  id: Type.String(),
  type: text('`agent`, or another step type.'),
  label: maybeText('The display name.'),
  dependencies: texts('Steps that must finish before it.'),
  agent: maybeText('The agent; null for other step types.'),
  agent_version: maybeInteger('Null: the current version when the step starts.'),
  input: maybeText('The input template.'),
  instructions: maybeText('Additional instructions.'),
  parameters: freeForm('Parameters by name.'),
})

export const WholeWorkflow = Type.Object({
  ...listed,
  steps: Type.Array(Step),
  required_inputs: texts('Paths that the context of an execution must have.'),
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
  executions_under_way: integer('Running and queued executions of it; they continue.'),
})
