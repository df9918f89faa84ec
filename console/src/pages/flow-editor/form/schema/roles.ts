import type { JsonPath } from '../../document/json.ts'

/** The role of a step field beyond its type. */
export type Role =
  | 'step'
  | 'steps'
  | 'model'
  | 'agent'
  | 'connection'
  /** A workflow by its ID. */
  | 'flow'
  | 'expression'
  | 'duration'
  /** The form of a human task, as a JSON schema. */
  | 'form'
  /** The output of a model, as a JSON schema. */
  | 'output schema'
  | 'accounts'
  | 'roles'
  | 'parameters'
  /** Text with placeholders. */
  | 'template'
  /** Text with placeholders in one line. */
  | 'line'
  /** JSON or text, with placeholders. */
  | 'template json'
  /** A path into the memory and the context. */
  | 'path'
  /** A path into the sources of a transformation. */
  | 'source field'
  /** A path into the output of the step. */
  | 'output field'

/** The paths with a role; `*` is any entry of a list or a record. */
export const places: readonly (readonly [pattern: string, role: Role])[] = [
  ['dependencies', 'steps'],
  ['conditions.*.action.next_step', 'step'],
  ['conditions.*.action.target_step', 'step'],
  ['default_action.next_step', 'step'],
  ['default_action.target_step', 'step'],
  ['routing_options.*.add_steps', 'steps'],
  ['routing_options.*.continue_to', 'step'],
  ['on_error', 'step'],
  ['ai_options.model', 'model'],
  ['agent', 'agent'],
  ['system_prompt', 'template'],
  ['tools.*.connection', 'connection'],
  ['tools.*.flow', 'flow'],
  ['tools.*.url', 'line'],
  ['tools.*.parameters', 'output schema'],
  ['approvals.assignees.accounts', 'accounts'],
  ['approvals.assignees.roles', 'roles'],
  ['approvals.timeout', 'duration'],
  ['flow', 'flow'],
  ['parameters', 'parameters'],
  ['parameters.*', 'line'],
  ['prompt', 'template'],
  ['ai_options.system_prompt', 'template'],
  ['routing_prompt', 'template'],
  ['input', 'template'],
  ['input.*', 'template json'],
  ['instructions', 'template'],
  ['transformations.*.template', 'template'],
  ['api.connection', 'connection'],
  ['api.url', 'line'],
  ['api.headers.*', 'line'],
  ['api.body', 'template json'],
  ['conditions.*.field', 'path'],
  ['routing_options.*.condition.field', 'path'],
  ['transformations.*.sources.*', 'path'],
  ['transformations.*.source', 'path'],
  ['transformations.*.left', 'path'],
  ['transformations.*.right', 'path'],
  ['items', 'path'],
  ['message', 'template'],
  ['notify.subject', 'line'],
  ['approvals.notify.subject', 'line'],
  ['correlation_key', 'line'],
  ['until', 'line'],
  ['duration', 'duration'],
  ['timeout', 'duration'],
  ['delay', 'duration'],
  ['max_time', 'duration'],
  ['api.timeout', 'duration'],
  ['form', 'form'],
  ['output_schema', 'output schema'],
  ['assignees.accounts', 'accounts'],
  ['assignees.roles', 'roles'],
  ['transformations.*.expression', 'expression'],
  ['transformations.*.where', 'expression'],
  ['transformations.*.by', 'expression'],
  ['transformations.*.left_key', 'expression'],
  ['transformations.*.right_key', 'expression'],
  ['transformations.*.aggregates.*', 'expression'],
  ['result', 'template json'],
  ['transformations.*.fields.*', 'source field'],
  ['validation.required_fields.*', 'output field'],
]

/** The role of a step field; undefined where its type is enough. */
export function roleAt(path: JsonPath): Role | undefined {
  return places.find(([pattern]) => matches(pattern.split('.'), path))?.[1]
}

function matches(pattern: readonly string[], path: JsonPath): boolean {
  return (
    pattern.length === path.length && pattern.every((part, index) => part === '*' || part === path[index])
  )
}
