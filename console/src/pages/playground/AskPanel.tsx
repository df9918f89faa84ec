import { Button, Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import IconAdjustmentsHorizontal from '@tabler/icons-react/dist/esm/icons/IconAdjustmentsHorizontal.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { type Detail, DetailList } from '../../parts/DetailList.tsx'
import { describePrice } from '../../parts/describe-amount.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import formStyles from '../../parts/Form.module.css'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type ModelRoute, routesQuery } from '../model-routes/route-queries.ts'
import { describeRetries, describeStrategy } from '../model-routes/route-words.ts'
import { describeProvider } from '../providers/provider-words.ts'
import styles from './AskPanel.module.css'
import type { AskSettings } from './ask-settings.ts'
import { anyModel, builtinModel, type CatalogueModel, findNamed } from './catalogue.ts'
import { ModelChoice } from './ModelChoice.tsx'
import { describeTokenLimit } from './model-words.ts'
import { modelsQuery } from './models-query.ts'
import '../../theme/mantine-form.css'
import { ChoiceLabel } from '../../parts/ChoiceLabel.tsx'

interface AskPanelProps {
  /** Undefined until the models are loaded. */
  readonly model: string | undefined
  readonly onModel: (model: string) => void
  readonly settings: AskSettings
  readonly onSettings: (settings: AskSettings) => void
  readonly isRaw: boolean
  readonly onRaw: (isRaw: boolean) => void
  readonly problemOf: (field: string) => string | undefined
}

/** The model and its settings. On narrow screens the settings are behind a button. */
export function AskPanel(props: AskPanelProps) {
  const { model, onModel, settings, onSettings, isRaw, onRaw, problemOf } = props
  const api = useApi()
  const { data: models, failure, refetch } = useApiQuery(modelsQuery(api))
  const { data: routes = [] } = useQuery(routesQuery(api))
  const route = routes.find(({ name }) => name === model)
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  return (
    <div className={`${formStyles['form']} ${styles['panel']}`}>
      {models === undefined && failure !== null ? (
        <FailureNotice
          what="The models could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <ModelChoice
          models={models}
          routes={routes}
          model={model}
          onChange={onModel}
          error={problemOf('model')}
        />
      )}
      {route === undefined ? null : <RouteDetails route={route} />}
      {model === undefined || models === undefined || route !== undefined ? null : (
        <ModelDetails name={model} model={findNamed(model, models)} />
      )}
      <Button
        className={styles['toggle'] ?? ''}
        size="compact-sm"
        variant="default"
        leftSection={<IconAdjustmentsHorizontal size={14} aria-hidden />}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
      >
        {isOpen ? 'Hide settings' : 'Show settings'}
      </Button>
      <div id={id} className={styles['more']} data-open={isOpen}>
        <Settings
          settings={settings}
          onChange={onSettings}
          isRaw={isRaw}
          onRaw={onRaw}
          problemOf={problemOf}
        />
      </div>
    </div>
  )
}

interface RouteDetailsProps {
  readonly route: ModelRoute
}

/** The details of the chosen route. */
function RouteDetails({
  route: { name, version, description, strategy, targets, retries },
}: RouteDetailsProps) {
  return (
    <>
      <p className={styles['note']}>
        {description ?? 'A route, which chooses one of its targets for each call.'}
      </p>
      <Surface>
        <DetailList
          details={[
            {
              name: 'Route',
              value: (
                <Link to="/routes" search={{ route: name }}>
                  {name}, version {version}
                </Link>
              ),
            },
            { name: 'Strategy', value: describeStrategy(strategy) },
            { name: 'Targets', value: targets.map(({ model }) => model).join(', ') },
            { name: 'Retries', value: describeRetries(retries) },
          ]}
        />
      </Surface>
    </>
  )
}

/** The details of the chosen model. */
function ModelDetails({ name, model }: { name: string; model: CatalogueModel | undefined }) {
  if (model === undefined) {
    return (
      <p className={styles['note']}>
        {name === anyModel
          ? 'The best available model answers: the cluster first, then cloud providers, then the built-in text analysis. The answer shows the model and its cost.'
          : 'No provider offers a model with this name.'}
      </p>
    )
  }
  return (
    <>
      {model.id === builtinModel ? (
        <p className={styles['note']}>
          <IconInfoCircle size={16} aria-hidden />
          <span>
            <strong>This is not a language model.</strong> It computes language, readability, key phrases, an
            extractive summary, sentiment and SEO. It is built in and always available.
          </span>
        </p>
      ) : null}
      <Surface>
        <DetailList details={detailsOf(model)} />
      </Surface>
    </>
  )
}

function detailsOf(model: CatalogueModel): Detail[] {
  const { provider, state, loaded, context_length, max_output_tokens } = model
  return [
    { name: 'Provider', value: describeProvider(provider) },
    {
      name: 'State',
      value:
        state === 'available' ? (
          <Status tone="good" word={loaded && provider === 'ollama' ? 'Available, loaded' : 'Available'} />
        ) : (
          <Status tone="bad" word="Not available" />
        ),
    },
    { name: 'Context', value: describeTokenLimit(context_length) },
    ...(max_output_tokens === null
      ? []
      : [{ name: 'Max output', value: describeTokenLimit(max_output_tokens) }]),
    { name: 'Price', value: <Price pricing={model.pricing} /> },
  ]
}

function Price({ pricing: { source, input, cached_input, output, tiers } }: Pick<CatalogueModel, 'pricing'>) {
  if (source === 'free') return 'Free'
  if (input === null || cached_input === null || output === null) return 'Price unknown'
  const [longer] = tiers
  return (
    <span className={styles['price']}>
      <span>{describePrice(input)} in</span>
      {cached_input === input ? null : <span>{describePrice(cached_input)} in, cached</span>}
      <span>{describePrice(output)} out</span>
      <span className={styles['unit']}>per million tokens</span>
      {longer === undefined ? null : (
        <span className={styles['unit']}>
          higher above {longer.above_input_tokens.toLocaleString()} input tokens
        </span>
      )}
    </span>
  )
}

interface SettingsProps {
  readonly settings: AskSettings
  readonly onChange: (settings: AskSettings) => void
  readonly isRaw: boolean
  readonly onRaw: (isRaw: boolean) => void
  /** The problem the server reports for a field, by its name in the request. */
  readonly problemOf: (field: string) => string | undefined
}

const fallbacks = [
  { value: 'none', label: 'No fallback' },
  { value: 'any', label: 'Any available model' },
  { value: 'these', label: 'These models, in order' },
]

/** The settings of the request. Empty fields use the defaults of the model. */
function Settings({ settings, onChange, isRaw, onRaw, problemOf }: SettingsProps) {
  const set = (changes: Partial<AskSettings>) => onChange({ ...settings, ...changes })
  return (
    <>
      <Textarea
        label="System prompt"
        placeholder="Instructions for the model"
        size="sm"
        rows={3}
        classNames={{ input: styles['prompt'] ?? '' }}
        value={settings.system}
        onChange={(change) => set({ system: change.currentTarget.value })}
      />
      <div className={styles['pair']}>
        <TextInput
          type="number"
          label="Temperature"
          placeholder="Default"
          min={0}
          max={2}
          step={0.1}
          value={settings.temperature}
          onChange={(change) => set({ temperature: change.currentTarget.value })}
          error={problemOf('temperature')}
        />
        <TextInput
          type="number"
          label="Max tokens"
          placeholder="Default"
          min={1}
          step={1}
          value={settings.maxTokens}
          onChange={(change) => set({ maxTokens: change.currentTarget.value })}
          error={problemOf('max_tokens')}
        />
      </div>
      <NativeSelect
        label="Fallback"
        data={fallbacks}
        value={settings.fallback}
        onChange={({ currentTarget: { value } }) =>
          set({ fallback: value === 'any' || value === 'these' ? value : 'none' })
        }
        error={problemOf('X-Model-Fallback')}
      />
      {settings.fallback === 'these' ? (
        <TextInput
          label="Fallback models"
          description="Comma-separated; the first available model answers."
          placeholder="gemma3:4b, builtin:text"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          value={settings.fallbackModels}
          onChange={(change) => set({ fallbackModels: change.currentTarget.value })}
        />
      ) : null}
      <Checkbox
        size="xs"
        label={<ChoiceLabel title="JSON output" about={undefined} />}
        checked={settings.json}
        onChange={(change) => set({ json: change.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={
          <ChoiceLabel
            title="Use cache"
            about="At temperature 0, repeated requests are answered from the cache for free."
          />
        }
        checked={settings.remembered}
        onChange={(change) => set({ remembered: change.currentTarget.checked })}
      />
      <Checkbox
        size="xs"
        label={<ChoiceLabel title="Show raw text" about="When off, Markdown is rendered." />}
        checked={isRaw}
        onChange={(change) => onRaw(change.currentTarget.checked)}
      />
    </>
  )
}
