import { useForm, useValue } from '../form-subject.ts'
import { canShow } from '../schema/can-show.ts'
import { pathText } from '../schema/path-text.ts'
import { roleAt } from '../schema/roles.ts'
import { AgentField } from './AgentField.tsx'
import { AgentParameters } from './AgentParameters.tsx'
import { ChecksField } from './ChecksField.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { EntriesField } from './EntriesField.tsx'
import { FlagField } from './FlagField.tsx'
import type { FieldProps } from './field-props.ts'
import { GroupField } from './GroupField.tsx'
import { GroupOrTextField } from './GroupOrTextField.tsx'
import { JsonField } from './JsonField.tsx'
import { LinesField } from './LinesField.tsx'
import { ModelField } from './ModelField.tsx'
import { NumberField } from './NumberField.tsx'
import { PathField } from './PathField.tsx'
import { PathsField } from './PathsField.tsx'
import { RecordField } from './RecordField.tsx'
import { StepField } from './StepField.tsx'
import { StepsField } from './StepsField.tsx'
import { TemplateField } from './TemplateField.tsx'
import { TextField } from './TextField.tsx'

/** A field of whatever kind, with all that is inside of it. */
export function FormField(props: FieldProps) {
  return (
    <div data-path={pathText(props.path)}>
      <FieldOfRole {...props} />
    </div>
  )
}

/** Some fields mean more than their type says. */
function FieldOfRole(props: FieldProps) {
  const { step } = useForm()
  const value = useValue(props.path)
  const { isBare } = props
  const role = step === null ? undefined : roleAt(props.path)
  const { shape } = props.field
  if (!canShow(shape, value)) return <JsonField {...props} />
  if (shape.kind === 'list' && roleAt([...props.path, 0]) !== undefined) return <PathsField {...props} />
  if (role === 'step') return <StepField {...props} />
  if (role === 'steps') return <StepsField {...props} />
  if (role === 'model') return <ModelField {...props} />
  if (role === 'agent') return <AgentField {...props} />
  if (role === 'path') return <PathField {...props} />
  if (role === 'template') return <TemplateField {...props} isLine={false} />
  if (role === 'template json') return <TemplateField {...props} isLine={false} />
  if (role === 'line') return <TemplateField {...props} isLine isBare={isBare} />
  if (role === 'parameters' && shape.kind === 'record') {
    return <AgentParameters {...props} field={{ ...props.field, shape }} />
  }
  return <FieldOfShape {...props} />
}

function FieldOfShape(props: FieldProps) {
  const { field } = props
  const { shape } = field
  switch (shape.kind) {
    case 'text':
      return <TextField {...props} />
    case 'number':
    case 'scalar':
      return <NumberField {...props} />
    case 'choice':
      return <ChoiceField {...props} field={{ ...field, shape }} />
    case 'flag':
      return <FlagField {...props} />
    case 'group':
      return <GroupField {...props} field={{ ...field, shape }} />
    case 'record':
      return <RecordField {...props} field={{ ...field, shape }} />
    case 'group or text':
      return <GroupOrTextField {...props} field={{ ...field, shape }} />
    case 'json':
      return <JsonField {...props} />
    default:
      if (shape.entry.kind === 'group') return <EntriesField {...props} field={{ ...field, shape }} />
      if (shape.entry.kind === 'choice') return <ChecksField {...props} choices={shape.entry.choices} />
      return <LinesField {...props} field={{ ...field, shape }} />
  }
}
