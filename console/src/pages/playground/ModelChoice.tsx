import '../../theme/mantine-floating.css'
import { type ComboboxItem, Select } from '@mantine/core'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import { describeRoughly } from '../../parts/describe-amount.ts'
import { Status } from '../../parts/Status.tsx'
import type { ModelRoute } from '../model-routes/route-queries.ts'
import { describeRoute } from '../model-routes/route-words.ts'
import { describeProvider } from '../providers/provider-words.ts'
import { anyModel, type CatalogueModel, findNamed, findWriters, nameOf } from './catalogue.ts'
import styles from './ModelChoice.module.css'
import { describePricing } from './model-words.ts'

interface ModelChoiceProps {
  /** Undefined while loading. */
  readonly models: readonly CatalogueModel[] | undefined
  readonly routes: readonly ModelRoute[]
  readonly model: string | undefined
  readonly onChange: (model: string) => void
  readonly error: string | undefined
}

/** All routes, and all models that generate text, by provider. */
export function ModelChoice({ models, routes, model, onChange, error }: ModelChoiceProps) {
  const known = models ?? []
  return (
    <Select
      label="Model"
      size="sm"
      searchable
      allowDeselect={false}
      aria-busy={models === undefined}
      data={groupsOf(known, routes, model)}
      value={model ?? null}
      onChange={(name) => {
        if (name !== null) onChange(name)
      }}
      renderOption={({ option, checked }) => (
        <Option
          option={option}
          model={findNamed(option.value, known)}
          route={routes.find(({ name }) => name === option.value)}
          isChosen={checked === true}
        />
      )}
      nothingFoundMessage="No models match."
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
  /** Takes precedence over a model of the same name. */
  readonly route: ModelRoute | undefined
  readonly isChosen: boolean
}

function Option({ option, model, route, isChosen }: OptionProps) {
  return (
    <span className={styles['option']}>
      <span className={styles['name']}>
        {option.label}
        {isChosen ? <IconCheck size={14} aria-hidden /> : null}
      </span>
      {route === undefined ? null : <span className={styles['details']}>{describeRoute(route)}</span>}
      {model === undefined || route !== undefined ? null : (
        <span className={styles['details']}>
          {model.state === 'available' ? null : <Status tone="warn" word="not available" />}
          {model.loaded && model.provider === 'ollama' ? <span>loaded</span> : null}
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

/** The order of the default chain; providers that operators added follow. */
const firstProviders = ['ollama', 'openai', 'anthropic', 'gemini']

function groupsOf(
  models: readonly CatalogueModel[],
  routes: readonly ModelRoute[],
  chosen: string | undefined,
): Group[] {
  const writers = findWriters(models)
  const added = writers.map(({ provider }) => provider).filter((provider) => provider !== 'builtin')
  const providers = new Set([...firstProviders, ...added, 'builtin'])
  const groups = [...providers].map((provider) => ({
    group: describeProvider(provider),
    items: writers
      .filter((model) => model.provider === provider)
      .map((model) => ({ value: nameOf(model, models, routes), label: model.id })),
  }))
  const any = { group: 'Any', items: [{ value: anyModel, label: `${anyModel}: best available` }] }
  const routed = { group: 'Routes', items: routes.map(({ name }) => ({ value: name, label: name })) }
  const listed = [any, ...[routed, ...groups].filter(({ items }) => items.length > 0)]
  const isListed = listed.some(({ items }) => items.some(({ value }) => value === chosen))
  if (chosen === undefined || isListed) return listed
  // The URL may name an alias, or a model of no provider.
  return [...listed, { group: 'Not in the catalogue', items: [{ value: chosen, label: chosen }] }]
}
