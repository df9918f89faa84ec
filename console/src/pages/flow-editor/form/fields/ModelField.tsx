import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../../api/api-context.ts'
import { anyModel, type CatalogueModel, findWriters, nameOf } from '../../../playground/catalogue.ts'
import { describePricing } from '../../../playground/model-words.ts'
import { modelsQuery } from '../../../playground/models-query.ts'
import { describeProvider } from '../../../providers/provider-words.ts'
import { textWriting } from '../schema/typed-text.ts'
import { CompletingInput, type Completion } from './CompletingInput.tsx'
import type { FieldProps } from './field-props.ts'
import { useField } from './use-field.tsx'
import { useTyped } from './use-typed.ts'

/** A model of the catalogue, or one that will be there when it is needed. */
export function ModelField(props: FieldProps) {
  const { value, change, label, description, error } = useField(props)
  const { text, type } = useTyped(value, textWriting(props.field.isRequired), change)
  const { data: models = [] } = useQuery(modelsQuery(useApi()))
  return (
    <CompletingInput
      label={label}
      description={description}
      error={error}
      placeholder="Default"
      value={text}
      completions={[
        { value: anyModel, about: 'best available' },
        ...findWriters(models).map((model) => completionFor(model, models)),
      ]}
      onChange={type}
    />
  )
}

function completionFor(model: CatalogueModel, models: readonly CatalogueModel[]): Completion {
  const details = [
    describeProvider(model.provider),
    describePricing(model.pricing),
    model.state === 'available' ? '' : 'not available',
  ]
  return { value: nameOf(model, models), about: details.filter((it) => it !== '').join(', ') }
}
