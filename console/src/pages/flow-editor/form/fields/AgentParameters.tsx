import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/api-context.ts'
import { type AgentParameter, parametersOf, valuesOf } from '../../../agent/agent-parameters.ts'
import { ParameterField } from '../../../agent/ParameterField.tsx'
import { agentQuery, agentsQuery } from '../../../agents/agent-queries.ts'
import type { Json, JsonPath } from '../../document/json.ts'
import { useValue } from '../form-subject.ts'
import { pathText } from '../schema/path-text.ts'
import type { RecordShape, Shape } from '../schema/shape.ts'
import type { FieldProps } from './field-props.ts'
import { RecordField } from './RecordField.tsx'
import { TemplateField } from './TemplateField.tsx'
import { useField } from './use-field.tsx'

/** The parameters of an agent: a field for each declared one, and free ones. */
export function AgentParameters(props: FieldProps<RecordShape>) {
  const { path, field } = props
  const agent = useValue(['agent'])
  const version = useValue(['agent_version'])
  const id = typeof agent === 'string' ? agent : ''
  const api = useApi()
  const { data: catalogue } = useQuery(agentsQuery(api, {}))
  // Only an existing agent is requested: a half-typed ID is none.
  const entry = catalogue?.agents.find((it) => it.id === id)
  const isPinned = typeof version === 'number' && entry !== undefined && version < Number(entry.version)
  const { data } = useQuery({
    ...agentQuery(api, { id, version: isPinned ? version : undefined }),
    enabled: entry !== undefined,
  })
  const declared = data === undefined ? [] : parametersOf(data)
  return (
    <RecordField {...props} without={new Set(declared.map(({ name }) => name))}>
      {declared.map((parameter) => (
        <Declared
          key={parameter.name}
          parameter={parameter}
          path={[...path, parameter.name]}
          shape={field.shape.entry}
        />
      ))}
    </RecordField>
  )
}

interface DeclaredProps {
  readonly parameter: AgentParameter
  readonly path: JsonPath
  readonly shape: Shape
}

function Declared({ parameter, path, shape }: DeclaredProps) {
  const { name, required, description, default: usual, choices } = parameter
  const about = usual === undefined ? description : `${description} Default: ${usual}.`.trim()
  // An empty parameter uses the default of the agent.
  const field = { name, description: about, isRequired: false, shape }
  const { value, change, error } = useField({ field, path })
  const isChosen = choices !== undefined || typeof usual === 'boolean'
  const offered = choices ?? ['true', 'false']
  const text = textOf(value)
  return (
    <div data-path={pathText(path)}>
      {isChosen && (text === '' || offered.includes(text)) ? (
        <ParameterField
          parameter={parameter}
          value={text}
          error={error}
          onChange={(typed) => change(valuesOf([parameter], { [name]: typed })[name])}
        />
      ) : (
        <TemplateField field={field} path={path} title={required ? name : `${name} (optional)`} isLine />
      )}
    </div>
  )
}

function textOf(value: Json | undefined): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}
