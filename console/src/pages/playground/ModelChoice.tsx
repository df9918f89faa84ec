import '../../theme/mantine-floating.css'
import { type ComboboxItem, Select } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { describeRoughly } from '../../parts/describe-amount.ts'
import { Status } from '../../parts/Status.tsx'
import { describeProvider } from '../providers/provider-words.ts'
import { anyModel, type CatalogueModel, findNamed, findWriters, nameOf } from './catalogue.ts'
import styles from './ModelChoice.module.css'
import { describePricing } from './model-words.ts'

interface ModelChoiceProps {
  /** Undefined while they are on their way. */
  readonly models: readonly CatalogueModel[] | undefined
  readonly model: string | undefined
  readonly onChange: (model: string) => void
  readonly error: string | undefined
}

/** Every model that writes text, by provider. */
export function ModelChoice({ models, model, onChange, error }: ModelChoiceProps) {
  const known = models ?? []
  return (
    <Select
      label="Model"
      size="sm"
      searchable
      allowDeselect={false}
      aria-busy={models === undefined}
      data={groupsOf(known, model)}
      value={model ?? null}
      onChange={(name) => {
        if (name !== null) onChange(name)
      }}
      renderOption={({ option, checked }) => (
        <Option option={option} model={findNamed(option.value, known)} isChosen={checked === true} />
      )}
      nothingFoundMessage="No model has this in its name."
      maxDropdownHeight={360}
      comboboxProps={{ withinPortal: false, shadow: 'none' }}
      classNames={{ groupLabel: styles['group'] ?? '', option: styles['item'] ?? '' }}
      error={error}
    />
  )
}

interface OptionProps {
  readonly option: ComboboxItem
  readonly model: CatalogueModel | undefined
  readonly isChosen: boolean
}

function Option({ option, model, isChosen }: OptionProps) {
  return (
    <span className={styles['option']}>
      <span className={styles['name']}>
        {option.label}
        {isChosen ? <IconCheck size={14} aria-hidden /> : null}
      </span>
      {model === undefined ? null : (
        <span className={styles['facts']}>
          {model.state === 'available' ? null : <Status tone="warn" word="not available" />}
          {model.loaded && model.provider === 'ollama' ? <span>in memory</span> : null}
          {model.context_length === null ? null : (
            <span>{describeRoughly(model.context_length)} context</span>
          )}
          <span>{describePricing(model.pricing)}</span>
        </span>
      )}
    </span>
  )
}

interface Group {
  readonly group: string
  readonly items: ComboboxItem[]
}

const providers = ['ollama', 'openai', 'anthropic', 'builtin']

function groupsOf(models: readonly CatalogueModel[], chosen: string | undefined): Group[] {
  const writers = findWriters(models)
  const groups = providers.map((provider) => ({
    group: describeProvider(provider),
    items: writers
      .filter((model) => model.provider === provider)
      .map((model) => ({ value: nameOf(model, models), label: model.id })),
  }))
  const any = { group: 'Any', items: [{ value: anyModel, label: `${anyModel}: the best there is` }] }
  const listed = [any, ...groups.filter(({ items }) => items.length > 0)]
  const isListed = listed.some(({ items }) => items.some(({ value }) => value === chosen))
  if (chosen === undefined || isListed) return listed
  // The address may name what nobody here has, or has under another name.
  return [...listed, { group: 'Not in the catalogue', items: [{ value: chosen, label: chosen }] }]
}
